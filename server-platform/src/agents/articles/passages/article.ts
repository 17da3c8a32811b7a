/** A piece of an article under one heading; the lead has none. Blocks are Markdown paragraphs, lists, tables. */
export interface ArticleSection {
  readonly heading: string | null;
  readonly blocks: readonly string[];
}

/**
 * The form of an article's name: words joined by hyphens, after the language and a slash where it is not in the main
 * language of the company, as `de/car-fares`. Other Markdown in the folder (README.md) is for people, not for visitors.
 */
export const ARTICLE_SLUG = /^(?:[a-z]{2}\/)?[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The language in an article's name; null: the main language of the company. */
export const languageOfSlug = (slug: string): string | null =>
  slug.charAt(2) === '/' ? slug.slice(0, 2) : null;

/** The name of an article without its language, which its translations share. */
export const plainSlug = (slug: string): string => (languageOfSlug(slug) === null ? slug : slug.slice(3));

/** One answer of the knowledge base. */
export interface Article {
  /** Its {@link ARTICLE_SLUG}, which is its file below the folder without `.md`, and the end of its address on the help site. */
  readonly slug: string;
  /** Language of the article, such as `de`. Absent: English. */
  readonly language?: string;
  readonly title: string;
  readonly category: string | null;
  /** Other words visitors use for the topic. */
  readonly keywords: readonly string[];
  /** Questions the article answers, as visitors ask them. */
  readonly questions: readonly string[];
  /** Questions that a visitor may want to ask next. */
  readonly suggestions: readonly string[];
  /** False: the help site has no page of it, so that answers carry no card that leads there. Absent: it has one. */
  readonly hasPage?: boolean;
  readonly sections: readonly ArticleSection[];
}
