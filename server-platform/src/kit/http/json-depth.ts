// Deeper than anything that is meant, and far from where parsers, writers and databases run out of stack.
const MAX_DEPTH = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Returns whether a JSON text has lists or objects in each other more than 200 levels deep. Runs before the parser, which
 * needs ten milliseconds for a frame that consists of brackets; this stops at the first bracket that is too many.
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

/** Where a string that begins before `start` has its closing quote. */
export function findEndOfString(json: string, start: number): number {
  for (let index = start; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === QUOTE) return index;
    if (unit === BACKSLASH) index += 1;
  }
  return json.length;
}
