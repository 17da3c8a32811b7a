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
  /** One line of at most 200 characters, trimmed; empty before the visitor has typed. */
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
  /** With `onArticle`: its name, 1 to 200 characters on one line, for an article that opens in the chat. */
  readonly id?: string;
}

/**
 * Searches the site's help articles, best first; the first ten are used. An empty query asks for the articles that are shown
 * before the visitor has typed, such as the most read; return an empty list for none.
 */
export type OnSearch = (
  query: HelpQuery,
  context: HelpContext,
) => readonly HelpArticle[] | Promise<readonly HelpArticle[]>;

/** A visitor's request for one article; untrusted input. */
export interface ArticleRequest {
  /** As in `HelpArticle`, or anything else: look it up, and do not use it as a path or an address. */
  readonly id: string;
  readonly language: string;
}

/** An article that is read in the chat. */
export interface ArticleText {
  readonly title: string;
  /** As in `HelpArticle`. */
  readonly url: string;
  /** Markdown, cut after 50,000 characters. */
  readonly text: string;
}

/** Returns an article of the site; null for an unknown id. */
export type OnArticle = (
  request: ArticleRequest,
  context: HelpContext,
) => ArticleText | null | Promise<ArticleText | null>;

/** Response of `GET /v1/search`: the accepted input. */
export interface SearchLimitsBody {
  readonly max_query_characters: number;
}

/** Body of the answer to a search. */
export interface SearchBody {
  readonly articles: readonly {
    readonly title: string;
    readonly url: string;
    readonly excerpt: string;
    readonly id?: string;
  }[];
}

const languageField = v.pipe(
  v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,35}$/)), 'en'),
  v.description('a BCP-47 tag such as en'),
);
const MAX_ID_CHARACTERS = 200;
const MAX_TEXT_CHARACTERS = 50_000;

const MAX_QUERY_CHARACTERS = 200;

/** The body of `POST /v1/search`. */
export const searchSchema = v.strictObject({
  connector: connectorField,
  query: v.pipe(
    v.string(),
    v.trim(),
    v.regex(ONE_LINE),
    v.check((text) => [...text].length <= MAX_QUERY_CHARACTERS),
    v.description(`one line of at most ${MAX_QUERY_CHARACTERS} characters`),
  ),
  language: languageField,
});

/** The body of `POST /v1/article`. */
const articleSchema = v.strictObject({
  connector: connectorField,
  id: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.regex(ONE_LINE),
    v.check((text) => [...text].length <= MAX_ID_CHARACTERS),
    v.description(`one line of 1 to ${MAX_ID_CHARACTERS} characters`),
  ),
  language: languageField,
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
  const body: SearchBody = { articles: readArticles(found, options.onArticle !== undefined) };
  return { body };
}

/** Handles `POST /v1/article` with the hook, without a session as well. */
export async function handleArticle(
  { options, connectors }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { onArticle } = options;
  if (onArticle === undefined)
    throw new ProxyFailure(
      'NOT_FOUND',
      'Articles do not open in the chat here. The operator of the token proxy can add an onArticle hook.',
    );
  const { origin, budget } = admitted;
  const { signal } = budget;
  const { connector, ...asked } = await readBody(admitted, articleSchema, MAX_BYTES);
  requireConnector(connectors, connector);
  await authorizeRequest(options, admitted, { route: 'article', connector });
  const found: unknown = await callHook(() => onArticle(asked, { connector, origin, signal }), signal);
  if (found === null || found === undefined) throw new ProxyFailure('NOT_FOUND', 'There is no such article.');
  return { body: readText(found) };
}

function readText(found: unknown): ArticleText {
  const { title, url, text } = isRecord(found) ? found : {};
  if (typeof title !== 'string' || typeof url !== 'string' || typeof text !== 'string')
    throw new Error('onArticle returned an article without a title, an address or a text.');
  const characters = [...text];
  const isLong = characters.length > MAX_TEXT_CHARACTERS;
  return {
    title: cut(title, MAX_TITLE_CHARACTERS),
    url: readUrl(url),
    text: isLong ? `${characters.slice(0, MAX_TEXT_CHARACTERS).join('')}…` : text,
  };
}

/** `opens`: articles with an id can be read in the chat. */
function readArticles(found: unknown, opens: boolean): SearchBody['articles'] {
  if (!Array.isArray(found)) throw new Error('onSearch returned no list of articles.');
  return found.slice(0, MAX_ARTICLES).map((article: unknown) => {
    const { title, url, excerpt = '', id = '' } = isRecord(article) ? article : {};
    if (
      typeof title !== 'string' ||
      typeof url !== 'string' ||
      typeof excerpt !== 'string' ||
      typeof id !== 'string'
    )
      throw new Error(
        'onSearch returned an article without a title or address, or with an excerpt or id that is not a text.',
      );
    return {
      title: cut(title, MAX_TITLE_CHARACTERS),
      url: readUrl(url),
      excerpt: cut(excerpt, MAX_EXCERPT_CHARACTERS),
      ...(opens && id !== '' && { id }),
    };
  });
}

function readUrl(text: string): string {
  const url = new URL(text);
  if (!isForVisitors(url))
    throw new Error('onSearch or onArticle returned an address that is not https or contains a user name.');
  return url.href;
}

/** By code points, so that none is split. */
const cut = (text: string, maxCharacters: number): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length > maxCharacters
    ? `${characters.slice(0, maxCharacters - 1).join('')}…`
    : characters.join('');
};
