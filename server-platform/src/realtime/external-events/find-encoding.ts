/** How a byte order mark begins a text, by the encoding it stands for. */
const MARKS: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

const DECLARATION =
  /^<\?xml\s+version\s*=\s*["'][^"'<>]{1,20}["']\s+encoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/;
// The declaration stands at the very beginning.
const DECLARATION_BYTES = 256;

/**
 * The name of a body's encoding: of its byte order mark, of the `charset` of its header, of the XML declaration, else UTF-8,
 * in this order (RFC 7303, 3.2). XML in UTF-16 without a mark is known by its first sign.
 */
export function findEncoding(bytes: Uint8Array, charset: string | null, isXml: boolean): string {
  const mark = MARKS.find(([begin]) => begin.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) return mark[1];
  if (isXml && bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
  if (isXml && bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  if (charset !== null) return charset;
  const head = isXml ? Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1') : '';
  const declared = DECLARATION.exec(head)?.[1];
  // A declaration that can be read byte by byte is in no UTF-16, despite its text: writers of strings leave that behind.
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}
