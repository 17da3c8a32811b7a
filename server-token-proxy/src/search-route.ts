import type { AdmittedRequest, RouteAnswer } from './admitted-request.ts';
import { authorizeRequest } from './authorize-request.ts';
import { isRecord } from './is-record.ts';
import { MAX_QUERY_CHARACTERS, parseSearchRequest } from './parse-request.ts';
import type { ProxyContext } from './proxy-context.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { raceSignal } from './race-signal.ts';
import { readJsonRequest } from './read-json-request.ts';
import { requireConnector } from './require-connector.ts';
import { isLoopback } from './upstream-url.ts';

/** Words that a visitor searches the help articles for. All of it is what a visitor wrote. */
export interface HelpQuery {
  /** One line of 1 to 200 characters, trimmed. */
  readonly query: string;
  /** Language of the panel, a BCP-47 tag such as `de`. */
  readonly language: string;
}

/** Where a search comes from. There may be no session yet. */
export interface HelpContext {
  /** Name of the connector. */
  readonly connector: string;
  /** The page's origin; null when the caller sent none. */
  readonly origin: string | null;
  /** Aborted when the request is given up. */
  readonly signal: AbortSignal;
}

/** An article that a search has found. */
export interface HelpArticle {
  /** As text, cut after 200 characters. */
  readonly title: string;
  /** Address of its page: absolute, `https` (or `http` on a loopback host). */
  readonly url: string;
  /** A sentence or two of it as text, cut after 160 characters. */
  readonly excerpt?: string;
}

/** Searches the site's help articles, the best first; the first ten count. */
export type OnSearch = (
  query: HelpQuery,
  context: HelpContext,
) => readonly HelpArticle[] | Promise<readonly HelpArticle[]>;

/** Body of `GET /v1/search`: what is taken here. */
export interface SearchLimitsBody {
  readonly max_query_characters: number;
}

/** Body of the answer to a search. */
export interface SearchBody {
  readonly articles: readonly { readonly title: string; readonly url: string; readonly excerpt: string }[];
}

// A query of 200 characters, each of them at most 12 bytes of JSON, and the names.
const MAX_BYTES = 4_096;
const MAX_ARTICLES = 10;
const MAX_TITLE_CHARACTERS = 200;
const MAX_EXCERPT_CHARACTERS = 160;

/** Body of `GET /v1/search`: the limits of a search. Throws `NOT_FOUND` without the hook. */
export function describeSearch(onSearch: OnSearch | undefined): SearchLimitsBody {
  requireSearch(onSearch);
  return { max_query_characters: MAX_QUERY_CHARACTERS };
}

function requireSearch(onSearch: OnSearch | undefined): OnSearch {
  if (onSearch !== undefined) return onSearch;
  throw new ProxyFailure(
    'NOT_FOUND',
    'The help articles cannot be searched here. Whoever runs the token proxy can give it an onSearch hook.',
  );
}

/** Answers `POST /v1/search` from the hook. It needs no session, because articles are public. */
export async function handleSearch(
  { options, connectors }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const search = requireSearch(options.onSearch);
  const { request, origin, budget } = admitted;
  const { signal } = budget;
  const { connector, ...asked } = parseSearchRequest(await readJsonRequest(request, MAX_BYTES, signal));
  requireConnector(connectors, connector);
  await authorizeRequest(options, admitted, { route: 'search', connector });
  // In a promise from the start, so that a hook that throws and one that rejects are the same.
  const found: unknown = await raceSignal(
    Promise.resolve().then(() => search(asked, { connector, origin, signal })),
    signal,
  );
  const body: SearchBody = { articles: readArticles(found) };
  return { body, cookies: [] };
}

function readArticles(found: unknown): SearchBody['articles'] {
  if (!Array.isArray(found)) throw new Error('onSearch gave no list of articles.');
  return found.slice(0, MAX_ARTICLES).map((article: unknown) => {
    const { title, url, excerpt = '' } = isRecord(article) ? article : {};
    if (typeof title !== 'string' || typeof url !== 'string' || typeof excerpt !== 'string')
      throw new Error('onSearch gave an article without title or address, or whose excerpt is no text.');
    return {
      title: cut(title, MAX_TITLE_CHARACTERS),
      url: readUrl(url),
      excerpt: cut(excerpt, MAX_EXCERPT_CHARACTERS),
    };
  });
}

function readUrl(text: string): string {
  const { protocol, hostname, username, href } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  if (!isSafe || username !== '')
    throw new Error('onSearch gave an address that is not https, or that holds a user name.');
  return href;
}

/** By code points, so that no character is cut in half. */
const cut = (text: string, maxCharacters: number): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length > maxCharacters
    ? `${characters.slice(0, maxCharacters - 1).join('')}…`
    : characters.join('');
};
