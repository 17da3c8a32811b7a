import type { SynonymsOf } from './synonyms.ts';

/** One word of the articles that may be what the visitor meant, and how sure that is (0 to 1). */
export interface Alternative {
  readonly stem: string;
  readonly certainty: number;
}

const SYNONYM_CERTAINTY = 0.6;

/** The stem itself and, less surely, the synonyms of it that the articles hold. */
export function widenStem(
  stem: string,
  {
    synonymsOf,
    postings,
  }: { readonly synonymsOf: SynonymsOf; readonly postings: ReadonlyMap<string, unknown> },
): readonly Alternative[] {
  const others = synonymsOf(stem).filter((other) => postings.has(other));
  return [{ stem, certainty: 1 }, ...others.map((other) => ({ stem: other, certainty: SYNONYM_CERTAINTY }))];
}
