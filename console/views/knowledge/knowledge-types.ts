/** Where an article comes from: a file, an edition in its place, the console alone, or nowhere any more. */
export type ArticleState = 'file' | 'edited' | 'added' | 'deleted';

/** An article in the list. */
export interface ArticleRow {
  readonly slug: string;
  readonly title: string;
  readonly category: string | null;
  readonly state: ArticleState;
  readonly changed_at: string | null;
  readonly changed_by: string | null;
}

/** Result of an evaluation. */
export interface Run {
  readonly id: number;
  readonly at: string;
  readonly by: string;
  readonly draft_slug: string | null;
  readonly total: number;
  readonly passed: number;
}

export interface Knowledge {
  readonly agents: readonly { readonly name: string; readonly shown_name: string }[];
  readonly agent: string;
  readonly articles: readonly ArticleRow[];
  readonly evaluation: { readonly conversations: number; readonly runs: readonly Run[] };
}

/** An article as it is edited. */
export interface Article {
  readonly title: string;
  readonly category: string | null;
  readonly keywords: readonly string[];
  readonly questions: readonly string[];
  readonly suggestions: readonly string[];
  readonly has_page: boolean;
  readonly body: string;
}

/** An article with its name, to be tried before it is published. */
export interface Draft extends Article {
  readonly slug: string;
}

export interface ArticleVersion {
  readonly number: number;
  readonly kind: 'published' | 'deleted' | 'file';
  readonly restored_from: number | null;
  readonly at: string;
  readonly by: string;
}

export interface ArticleAnswer {
  readonly slug: string;
  readonly article: Article | null;
  readonly state: ArticleState;
  readonly number: number;
  readonly has_file: boolean;
  readonly versions: readonly ArticleVersion[];
}

/** The answer that the agent would give, with the reasons. */
export interface Trial {
  readonly text: string;
  readonly intent: string | null;
  readonly hands_off: boolean;
  readonly suggestions: readonly string[];
  readonly sources: readonly { readonly title: string | null; readonly url: string | null }[];
  readonly milliseconds: number;
  readonly certainty: 'confident' | 'unknown' | null;
  readonly articles: readonly {
    readonly slug: string;
    readonly title: string;
    readonly confidence: number;
  }[];
  readonly passages: readonly {
    readonly heading: string | null;
    readonly text: string;
    readonly score: number;
    readonly is_said: boolean;
  }[];
}

interface Said {
  readonly category: string;
  readonly say: readonly string[];
}

export interface Failure extends Said {
  readonly answer: string;
  readonly problems: readonly string[];
  readonly is_new: boolean | null;
}

export interface Evaluation {
  readonly run: Run;
  readonly before: Run | null;
  readonly failures: readonly Failure[];
  readonly fixed: readonly Said[];
}
