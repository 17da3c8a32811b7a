/** Byte order marks by encoding. */
const MARKS: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

const DECLARATION =
  /^<\?xml\s+version\s*=\s*["'][^"'<>]{1,20}["']\s+encoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/;
// The declaration must be at the very beginning.
const DECLARATION_BYTES = 256;

/**
 * Determines a body's encoding: from its byte order mark, the header's `charset`, the XML declaration, or else UTF-8,
 * in this order (RFC 7303, 3.2). UTF-16 XML without a mark is recognised by its first character.
 */
export function findEncoding(bytes: Uint8Array, charset: string | null, isXml: boolean): string {
  const mark = MARKS.find(([begin]) => begin.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) return mark[1];
  if (isXml && bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
  if (isXml && bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  if (charset !== null) return charset;
  const head = isXml ? Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1') : '';
  const declared = DECLARATION.exec(head)?.[1];
  // A declaration readable as single bytes cannot be UTF-16, despite its text; software that serialises strings leaves
  // that behind.
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}
