import { createMarkdownStream } from './markdown-stream.ts';
import { type NameTable, toPlainText } from './to-plain-text.ts';

/** Returns an agent's text without its Markdown. `nameTable` gives the words in place of a table's cells. */
export function readText(text: string, nameTable?: NameTable): string {
  return toPlainText(createMarkdownStream()(text, false), nameTable);
}
