import { synonymsOf } from './synonyms.ts';

/** One word of the articles that may be what the visitor meant, and how sure that is (0 to 1). */
export interface Alternative {
  readonly stem: string;
  readonly certainty: number;
}

const SYNONYM_CERTAINTY = 0.6;

/** The stem itself and, less surely, what visitors say instead of it and `isKnown` to the articles. */
export function widenStem(stem: string, isKnown: (stem: string) => boolean): readonly Alternative[] {
  const others = synonymsOf(stem).filter(isKnown);
  return [{ stem, certainty: 1 }, ...others.map((other) => ({ stem: other, certainty: SYNONYM_CERTAINTY }))];
}
