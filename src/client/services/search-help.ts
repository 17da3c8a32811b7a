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

/** What the token proxy takes as a search. */
export interface SearchLimits {
  readonly maxQueryCharacters: number;
}

/** Words to search for. */
export interface HelpQuery {
  readonly query: string;
  /** BCP-47 tag. */
  readonly language: string;
  /** Gives the search up, for one with other words. */
  readonly signal: AbortSignal;
}

/** Asks whether the help articles can be searched; null where they cannot, or where the proxy does not answer. */
export async function readSearchLimits(options: ServicesOptions): Promise<SearchLimits | null> {
  const { signal } = new AbortController();
  const { status, fields } = await callProxy(options, '/v1/search', null, signal);
  const { max_query_characters: maxQueryCharacters } = fields;
  return status === 200 && typeof maxQueryCharacters === 'number' ? { maxQueryCharacters } : null;
}

/** Searches the help articles, the best first; null where there was no answer. Never rejects. */
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
