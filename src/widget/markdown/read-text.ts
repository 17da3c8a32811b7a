import { createMarkdownStream } from './markdown-stream.ts';
import { type NameTable, toPlainText } from './to-plain-text.ts';

/** Options for an answer as plain text. */
export interface ReadTextOptions {
  /** Returns the text that replaces a table's cells. */
  readonly nameTable?: NameTable;
  /** The visitor stopped the answer, so that its Markdown may be cut off anywhere. It is read as it is drawn. */
  readonly isStopped?: boolean | undefined;
}

/** Returns an agent's text without its Markdown. */
export function readText(text: string, { nameTable, isStopped = false }: ReadTextOptions = {}): string {
  return toPlainText(createMarkdownStream()(text, isStopped), nameTable);
}
