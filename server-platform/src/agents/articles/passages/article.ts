/** A piece of an article under one heading; the lead has none. Blocks are Markdown paragraphs, lists, tables. */
export interface ArticleSection {
  readonly heading: string | null;
  readonly blocks: readonly string[];
}

/** One answer of the knowledge base. */
export interface Article {
  /** File name without `.md`; also the last part of its address on the help site. */
  readonly slug: string;
  readonly title: string;
  readonly category: string | null;
  /** Other words visitors use for the topic. */
  readonly keywords: readonly string[];
  /** Questions the article answers, as visitors ask them. */
  readonly questions: readonly string[];
  /** What a visitor may want to ask next. */
  readonly suggestions: readonly string[];
  /** False: the help site has no page of it, so that answers carry no card that leads there. Absent: it has one. */
  readonly hasPage?: boolean;
  readonly sections: readonly ArticleSection[];
}
