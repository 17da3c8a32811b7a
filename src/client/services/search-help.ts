import { isFields } from '../../protocol/index.ts';
import { callProxy } from '../session/proxy-calls.ts';
import type { ServicesOptions } from './services-options.ts';

/** A help article of the site. */
export interface HelpArticle {
  readonly title: string;
  readonly url: string;
  /** Plain text; possibly empty. */
  readonly excerpt: string;
}

/** Limits of searches that the token proxy accepts. */
export interface SearchLimits {
  readonly maxQueryCharacters: number;
}

/** A search query. */
export interface HelpQuery {
  readonly query: string;
  /** BCP-47 tag. */
  readonly language: string;
  /** Aborts the search when the query changes. */
  readonly signal: AbortSignal;
}

/** Reads the limits of searching help articles; null if unavailable or without a response. */
export async function readSearchLimits(options: ServicesOptions): Promise<SearchLimits | null> {
  const { signal } = new AbortController();
  const { status, fields } = await callProxy(options, '/v1/search', null, signal);
  const { max_query_characters: maxQueryCharacters } = fields;
  return status === 200 && typeof maxQueryCharacters === 'number' ? { maxQueryCharacters } : null;
}

/** Searches the help articles, best first; null without a response. Never rejects. */
export async function searchHelp(
  options: ServicesOptions,
  { query, language, signal }: HelpQuery,
): Promise<readonly HelpArticle[] | null> {
  const { status, fields } = await callProxy(options, '/v1/search', { query, language }, signal);
  const { articles } = fields;
  if (status !== 200 || !Array.isArray(articles)) return null;
  return articles.flatMap((article) => {
    const { title, url, excerpt } = isFields(article) ? article : {};
    const isRead = typeof title === 'string' && typeof url === 'string';
    return isRead ? [{ title, url, excerpt: typeof excerpt === 'string' ? excerpt : '' }] : [];
  });
}
