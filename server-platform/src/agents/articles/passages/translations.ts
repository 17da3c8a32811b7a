import type { KnowledgeIndex } from './knowledge-index.ts';

/** The articles of a company in other languages than its main one, by language. A set is prepared at the first call. */
export type Translations = ReadonlyMap<string, () => Promise<KnowledgeIndex>>;

export const NO_TRANSLATIONS: Translations = new Map();
