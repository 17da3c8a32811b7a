import type { Reply } from './desk-types.ts';

/** A search for a canned reply: a slash in the text of a field, and the words from there to the caret. */
export interface ReplySearch {
  /** Place of the slash. */
  readonly start: number;
  /** Place of the caret. */
  readonly end: number;
  readonly words: string;
}

/** The search at the caret; null where no slash begins the text or follows a blank. */
export function readSearch(text: string, caret: number): ReplySearch | null {
  const before = text.slice(0, caret);
  // A blank after the slash means that the slash is part of the text: "and / or".
  const last = [...before.matchAll(/(?:^|\s)\/(?!\s)/g)].at(-1);
  if (!last) return null;
  const start = last.index + last[0].length - 1;
  const words = before.slice(start + 1);
  return words.includes('\n') ? null : { start, end: caret, words };
}

/** The replies whose names have every word of a search. */
export function findReplies(replies: readonly Reply[], { words }: ReplySearch): readonly Reply[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return replies.filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)));
}
