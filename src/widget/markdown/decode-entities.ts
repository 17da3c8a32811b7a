const ENTITY = /&(?:#(x[\da-f]{1,6}|\d{1,7})|([a-z]{2,6}));/gi;
const ESCAPED_OR_ENTITY = /\\([!-/:-@[-`{-~])|&#?\w{2,8};/g;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  ndash: '–',
  mdash: '—',
  hellip: '…',
};

/** Replaces numeric character references, and the named ones that models write. Other names stay text. */
export function decodeEntities(source: string): string {
  return source.replace(ENTITY, (found: string, digits: string, name?: string) => {
    if (name) return NAMED[name] ?? NAMED[name.toLowerCase()] ?? found;
    // Reads `0x41` or `065`.
    const code = Number(`0${digits}`);
    const isCharacter = code > 0 && code < 0x110000 && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** Replaces backslash escapes and character references, as in the address of a link. */
export function unescapeText(source: string): string {
  return source.replace(
    ESCAPED_OR_ENTITY,
    (found: string, escaped?: string) => escaped ?? decodeEntities(found),
  );
}
