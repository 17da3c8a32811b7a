/** An allowed media type of uploads. */
interface FileType {
  readonly type: string;
  /** File extensions; the first is appended to names that have none of them. */
  readonly endings: readonly [string, ...string[]];
  /** Whether the content alone determines this type and the name is ignored. */
  readonly isKnownByContent: boolean;
  matches(head: Uint8Array): boolean;
}

const startsWith =
  (signature: string, at = 0) =>
  (head: Uint8Array): boolean =>
    String.fromCharCode(...head.subarray(at, at + signature.length)) === signature;

const isZip = startsWith('PK\x03\x04');
const isText = (head: Uint8Array): boolean => !head.includes(0);

const picture = (ending: string, ...others: string[]) => ({
  type: `image/${ending === 'jpg' ? 'jpeg' : ending}`,
  endings: [ending, ...others] as const,
  isKnownByContent: true,
});
const byName = (type: string, ending: string, matches: FileType['matches']): FileType => ({
  type,
  endings: [ending],
  isKnownByContent: false,
  matches,
});

/** Without SVG and HTML, because both may contain scripts. */
const FILE_TYPES: readonly FileType[] = [
  { ...picture('png'), matches: startsWith('\x89PNG\r\n\x1a\n') },
  { ...picture('jpg', 'jpeg'), matches: startsWith('\xff\xd8\xff') },
  { ...picture('gif'), matches: (head) => startsWith('GIF87a')(head) || startsWith('GIF89a')(head) },
  { ...picture('webp'), matches: (head) => startsWith('RIFF')(head) && startsWith('WEBP', 8)(head) },
  { ...picture('avif'), matches: startsWith('ftypavif', 4) },
  { type: 'application/pdf', endings: ['pdf'], isKnownByContent: true, matches: startsWith('%PDF-') },
  byName('text/plain', 'txt', isText),
  byName('text/csv', 'csv', isText),
  byName('application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx', isZip),
  byName('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx', isZip),
  byName('application/vnd.oasis.opendocument.text', 'odt', isZip),
  byName('application/vnd.oasis.opendocument.spreadsheet', 'ods', isZip),
];

/** The types that `uploads.types` may name. */
export const KNOWN_TYPES: readonly string[] = FILE_TYPES.map(({ type }) => type);

/** Number of leading bytes that determine a file's type. */
export const HEAD_BYTES = 64;

const MAX_NAME_LENGTH = 100;

const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The name without folders, control characters and characters with a meaning in file systems or markup. */
function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const shown = last
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*%&#;'`]/gu, '')
    .replace(/\s+/g, ' ');
  // Prevents hidden files and the names `.` and `..`.
  const first = shown.search(/[^. ]/);
  let end = shown.length;
  while (end > 0 && '. '.includes(shown.charAt(end - 1))) end -= 1;
  return first === -1 ? '' : shown.slice(first, end);
}

/**
 * Determines a file's type from its first bytes or, if they are ambiguous, from its name, and returns a matching name.
 * `null` for a file of an unknown type, such as one named like a picture with other content.
 */
export function identifyFile(
  name: string,
  head: Uint8Array,
): { readonly type: string; readonly name: string } | null {
  const cleaned = cleanName(name);
  const ending = endingOf(cleaned);
  const found =
    FILE_TYPES.find(({ isKnownByContent, matches }) => isKnownByContent && matches(head)) ??
    FILE_TYPES.find(
      ({ isKnownByContent, endings, matches }) =>
        !isKnownByContent && endings.includes(ending) && matches(head),
    );
  if (!found) return null;
  const stem = ending === '' ? cleaned : cleaned.slice(0, -ending.length - 1);
  const kept = found.endings.includes(ending) ? ending : found.endings[0];
  // By code points, so that none is split.
  const short = [...(stem || 'file')].slice(0, MAX_NAME_LENGTH - kept.length - 1).join('');
  return { type: found.type, name: `${short}.${kept}` };
}
