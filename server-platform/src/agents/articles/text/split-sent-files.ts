const FILE = /\.[a-z0-9]{2,5}$/i;
const MAX_NAME_CHARACTERS = 60;

/** The name of the file at an address on a separate line; `null` for other lines. */
function readName(line: string): string | null {
  if (!/^https?:\/\/\S+$/i.test(line) || !URL.canParse(line)) return null;
  const { pathname } = new URL(line);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  if (!FILE.test(last)) return null;
  const characters = [
    ...decode(last)
      .replace(/[\p{C}*`[\]<>|\\]/gu, ' ')
      .trim(),
  ];
  return characters.length > MAX_NAME_CHARACTERS
    ? `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…`
    : characters.join('');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Splits a message into its words and the names of the files whose addresses are its last lines, as the widget sends them. */
export function splitSentFiles(message: string): {
  readonly text: string;
  readonly names: readonly string[];
} {
  const lines = message.trimEnd().split('\n');
  const names: string[] = [];
  for (let name = readName(lines.at(-1) ?? ''); name !== null; name = readName(lines.at(-1) ?? '')) {
    names.unshift(name);
    lines.pop();
  }
  return { text: lines.join('\n').trimEnd(), names };
}
