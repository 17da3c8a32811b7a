import type { KnowledgeIndex } from './knowledge-index.ts';

/** The articles of a company in other languages than its main one, by language. A set is prepared at the first call. */
export type Translations = ReadonlyMap<string, () => Promise<KnowledgeIndex>>;

export const NO_TRANSLATIONS: Translations = new Map();

/** Translates a passage for a visitor of a project; null: the project has no endpoint for that. */
export type TranslatePassage = (
  projectId: string,
  passage: string,
  language: string,
  signal: AbortSignal,
) => Promise<string | null>;

/** Translations for visitors who write in another language than the main one. */
export interface ForeignLanguages {
  readonly translations?: Translations;
  readonly translate?: TranslatePassage | undefined;
  /** Reports a passage that could not be translated, and is shown as it is. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}
