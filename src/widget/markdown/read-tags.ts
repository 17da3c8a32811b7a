/** Matches the block elements that an agent may send (AM-3), and code spans, because tags in code are text. */
const TAGS = /`[^`]*`|<(\/?)(p|ul|ol|li)(?:\s[^<>]*)?\/?>/gi;
const STARTS_WITH_TAG = /^\s*<\/?(?:p|[uo]l|li)\b/i;

export interface BlockTagMatch {
  readonly name: string;
  readonly isEnd: boolean;
  readonly at: number;
  readonly end: number;
}

/** Returns the tags of block elements in a line. */
export function matchTags(line: string): readonly BlockTagMatch[] {
  if (!line.includes('<')) return [];
  return [...line.matchAll(TAGS)].flatMap(({ 0: tag, 1: slash, 2: name, index: at }) =>
    name ? [{ name: name.toLowerCase(), isEnd: slash === '/', at, end: at + tag.length }] : [],
  );
}

export function startsWithTag(line: string): boolean {
  return STARTS_WITH_TAG.test(line);
}
