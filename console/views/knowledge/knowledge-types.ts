import type {
  Article,
  ArticleAnswer,
  Evaluation,
  Knowledge,
} from '../../../server-platform/src/console-api/index.ts';

export type {
  Article,
  ArticleAnswer,
  Evaluation,
  Knowledge,
  Trial,
} from '../../../server-platform/src/console-api/index.ts';

/** An article in the list. */
export type ArticleRow = Knowledge['articles'][number];

/** Where an article comes from: a file, an edition in its place, the console alone, or nowhere any more. */
export type ArticleState = ArticleRow['state'];

/** Result of an evaluation. */
export type Run = Evaluation['run'];

export type Failure = Evaluation['failures'][number];

/** An article with its name, to be tried before it is published. */
export interface Draft extends Article {
  readonly slug: string;
}

export type ArticleVersion = ArticleAnswer['versions'][number];
