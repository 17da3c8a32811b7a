const ENTITY = /&(?:#(x?[\da-f]{1,7})|([a-z]{2,4}));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Replaces the character references that we know; any other stays as it was written. */
export function decodeEntities(source: string): string {
  return source.replace(ENTITY, (found: string, digits: string, name?: string) => {
    if (name) return NAMED[name.toLowerCase()] ?? found;
    // Reads `0x41` or `065`; what is no number compares false.
    const code = Number(`0${digits}`);
    return code < 0x110000 ? String.fromCodePoint(code) : found;
  });
}
