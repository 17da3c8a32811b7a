const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/y;

/** Reads one character reference at `index`; null when there is none that we know. */
export function readEntity(source: string, index: number): { text: string; length: number } | null {
  ENTITY.lastIndex = index;
  const match = ENTITY.exec(source);
  if (!match) return null;
  const [whole, decimal, hex, name] = match;
  const text = name ? NAMED[name] : fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16));
  return text === undefined ? null : { text, length: whole.length };
}

/** Replaces every known character reference in a short text such as an attribute value. */
export function decodeEntities(source: string): string {
  return source.replace(/&[#\w]{2,10};/g, (found) => readEntity(found, 0)?.text ?? found);
}

function fromCodePoint(code: number): string {
  const isText = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isText ? String.fromCodePoint(code) : '\ufffd';
}
