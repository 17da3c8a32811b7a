import { isFields } from '../../protocol/index.ts';
import { callProxy } from '../session/proxy-calls.ts';
import type { ServicesOptions } from './services-options.ts';

/** A help article of the site. */
export interface HelpArticle {
  readonly title: string;
  readonly url: string;
  /** Plain text; possibly empty. */
  readonly excerpt: string;
  /** Name of an article that `readArticle` returns; none for one that is only a page. */
  readonly id?: string;
}

/** A request for one article. */
export interface ArticleQuery extends Pick<HelpQuery, 'language' | 'signal'> {
  readonly id: string;
}

/** An article to be read in the chat. */
export interface ArticleText {
  readonly title: string;
  readonly url: string;
  /** Markdown. */
  readonly text: string;
}

/** Limits of searches that the token proxy accepts. */
export interface SearchLimits {
  readonly maxQueryCharacters: number;
}

/** A search query. */
export interface HelpQuery {
  /** Empty for the articles to show before the visitor has typed. */
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
    const { title, url, excerpt, id } = isFields(article) ? article : {};
    const isRead = typeof title === 'string' && typeof url === 'string';
    return isRead ? [{ title, url, excerpt: toText(excerpt), ...(toText(id) && { id: toText(id) }) }] : [];
  });
}

/** Reads an article by its `id`; null for an unknown one, and without a response. Never rejects. */
export async function readArticle(
  options: ServicesOptions,
  { id, language, signal }: ArticleQuery,
): Promise<ArticleText | null> {
  const { status, fields } = await callProxy(options, '/v1/article', { id, language }, signal);
  const { title, url, text } = fields;
  const isRead = status === 200 && typeof title === 'string' && typeof url === 'string';
  return isRead ? { title, url, text: toText(text) } : null;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
