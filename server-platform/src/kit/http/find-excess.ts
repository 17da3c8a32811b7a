// Deeper than any reasonable document, and far from where parsers, writers and databases overflow their stack.
const MAX_DEPTH = 200;
// The parser takes longest for names that it has not met before: 80,000 in a megabyte hold the thread for a tenth of a second.
const MAX_FIELDS = 20_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Checks that a JSON text has at most 200 levels, and at most 20,000 fields in all of its objects. Returns what is wrong,
 * or null. Runs before the parser, which needs ten milliseconds for a frame full of brackets; this stops at the first
 * sign above a limit.
 */
export function findExcess(json: string): string | null {
  let depth = 0;
  let fields = 0;
  for (let index = 0; index < json.length; index += 1) {
    switch (json.charCodeAt(index)) {
      case QUOTE:
        index = findEndOfString(json, index + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > MAX_DEPTH) return 'is nested too deeply';
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x3a: // :
        fields += 1;
        if (fields > MAX_FIELDS) return `has more than ${MAX_FIELDS} fields`;
        break;
    }
  }
  return null;
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
