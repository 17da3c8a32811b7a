const PICTURE = /\.(?:png|jpe?g|gif|webp|avif)$/i;
const FILE = /\.(?:png|jpe?g|gif|webp|avif|pdf|txt|csv|docx|xlsx|odt|ods)$/i;

/** A file whose address a message of the visitor contains. */
export interface SentFile {
  readonly url: string;
  readonly name: string;
  readonly isPicture: boolean;
}

function readFile(line: string): SentFile | null {
  if (!/^https?:\/\/\S+$/i.test(line) || !URL.canParse(line)) return null;
  const { pathname } = new URL(line);
  if (!FILE.test(pathname)) return null;
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  return { url: line, name: decode(last), isPicture: PICTURE.test(pathname) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Splits a message into its text and the files whose addresses are its last lines. */
export function splitFiles(message: string): { readonly text: string; readonly files: readonly SentFile[] } {
  const lines = message.split('\n');
  const files: SentFile[] = [];
  for (;;) {
    const file = readFile(lines.at(-1) ?? '');
    if (!file) break;
    files.unshift(file);
    lines.pop();
  }
  return { text: lines.join('\n').trimEnd(), files };
}
