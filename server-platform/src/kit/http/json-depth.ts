// Deeper than any reasonable document, and far from where parsers, writers and databases overflow their stack.
const MAX_DEPTH = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether a JSON text is nested more than 200 levels deep. Runs before the parser, which needs ten milliseconds for a
 * frame full of brackets; this stops at the first bracket above the limit.
 */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  for (let index = 0; index < json.length; index += 1) {
    switch (json.charCodeAt(index)) {
      case QUOTE:
        index = findEndOfString(json, index + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > MAX_DEPTH) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
    }
  }
  return false;
}

/** Returns the closing quote of a string that begins before `start`. */
export function findEndOfString(json: string, start: number): number {
  for (let index = start; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === QUOTE) return index;
    if (unit === BACKSLASH) index += 1;
  }
  return json.length;
}
