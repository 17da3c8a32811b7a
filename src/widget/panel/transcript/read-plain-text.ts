/** A line in which Markdown may mean something: a sign of it anywhere, or how blocks and bare addresses begin. */
const MARKUP = /[\\*_~`[\]<>&|@]|^\s*(?:[-+#=•]|\d{1,9}[.)])|^(?: {4}| {0,3}\t)|https?:|www\./i;

/** The paragraphs of a text, each a list of lines. */
export interface PlainText {
  readonly paragraphs: readonly (readonly string[])[];
  /** False where the paragraphs end before the first line with Markdown. */
  readonly isWhole: boolean;
}

/** Reads a text up to the first line that may hold Markdown. The result equals the Markdown reader's. */
export function readPlainText(text: string): PlainText {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => MARKUP.test(line));
  const plain = end < 0 ? lines : lines.slice(0, end);
  const paragraphs: string[][] = [[]];
  for (const line of plain.map((each) => each.trim())) {
    if (line) paragraphs.at(-1)?.push(line);
    else paragraphs.push([]);
  }
  return { paragraphs: paragraphs.filter(({ length }) => length > 0), isWhole: end < 0 };
}
