import * as v from 'valibot';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { authorizeRequest } from '../http/authorize-request.ts';
import { callHook } from '../http/call-hook.ts';
import { connectorField, ONE_LINE, readBody } from '../http/read-body.ts';
import { requireConnector } from '../http/require-connector.ts';
import { isRecord } from '../kit/is-record.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { isForVisitors } from '../upstream/upstream-url.ts';

/** A visitor's search of the help articles; untrusted input. */
export interface HelpQuery {
  /** One line of 1 to 200 characters, trimmed. */
  readonly query: string;
  /** Language of the panel, a BCP-47 tag such as `de`. */
  readonly language: string;
}

/** Origin of a search. There may be no session yet. */
export interface HelpContext {
  /** Name of the connector. */
  readonly connector: string;
  /** The page's origin; null when the caller sent none. */
  readonly origin: string | null;
  /** Aborted when the request is abandoned. */
  readonly signal: AbortSignal;
}

/** An article found by a search. */
export interface HelpArticle {
  /** As text, cut after 200 characters. */
  readonly title: string;
  /** Address of its page: absolute, `https` (or `http` on a loopback host). */
  readonly url: string;
  /** One or two sentences as text, cut after 160 characters. */
  readonly excerpt?: string;
}

/** Searches the site's help articles, best first; the first ten are used. */
export type OnSearch = (
  query: HelpQuery,
  context: HelpContext,
) => readonly HelpArticle[] | Promise<readonly HelpArticle[]>;

/** Response of `GET /v1/search`: the accepted input. */
export interface SearchLimitsBody {
  readonly max_query_characters: number;
}

/** Body of the answer to a search. */
export interface SearchBody {
  readonly articles: readonly { readonly title: string; readonly url: string; readonly excerpt: string }[];
}

const MAX_QUERY_CHARACTERS = 200;

/** The body of `POST /v1/search`. */
export const searchSchema = v.strictObject({
  connector: connectorField,
  query: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.regex(ONE_LINE),
    v.check((text) => [...text].length <= MAX_QUERY_CHARACTERS),
    v.description(`one line of 1 to ${MAX_QUERY_CHARACTERS} characters`),
  ),
  language: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,35}$/)), 'en'),
    v.description('a BCP-47 tag such as en'),
  ),
});

// A query of 200 characters, at most 12 bytes of JSON each, and the field names.
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
    'Search is not available here. The operator of the token proxy can add an onSearch hook.',
  );
}

/** Handles `POST /v1/search` with the hook. It needs no session, because articles are public. */
export async function handleSearch(
  { options, connectors }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const search = requireSearch(options.onSearch);
  const { origin, budget } = admitted;
  const { signal } = budget;
  const { connector, ...asked } = await readBody(admitted, searchSchema, MAX_BYTES);
  requireConnector(connectors, connector);
  await authorizeRequest(options, admitted, { route: 'search', connector });
  const found: unknown = await callHook(() => search(asked, { connector, origin, signal }), signal);
  const body: SearchBody = { articles: readArticles(found) };
  return { body };
}

function readArticles(found: unknown): SearchBody['articles'] {
  if (!Array.isArray(found)) throw new Error('onSearch returned no list of articles.');
  return found.slice(0, MAX_ARTICLES).map((article: unknown) => {
    const { title, url, excerpt = '' } = isRecord(article) ? article : {};
    if (typeof title !== 'string' || typeof url !== 'string' || typeof excerpt !== 'string')
      throw new Error(
        'onSearch returned an article without a title or address, or with an excerpt that is not a text.',
      );
    return {
      title: cut(title, MAX_TITLE_CHARACTERS),
      url: readUrl(url),
      excerpt: cut(excerpt, MAX_EXCERPT_CHARACTERS),
    };
  });
}

function readUrl(text: string): string {
  const url = new URL(text);
  if (!isForVisitors(url))
    throw new Error('onSearch returned an address that is not https or contains a user name.');
  return url.href;
}

/** By code points, so that none is split. */
const cut = (text: string, maxCharacters: number): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length > maxCharacters
    ? `${characters.slice(0, maxCharacters - 1).join('')}…`
    : characters.join('');
};
