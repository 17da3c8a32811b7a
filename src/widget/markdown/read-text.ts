import { createMarkdownStream } from './markdown-stream.ts';
import { type NameTable, toPlainText } from './to-plain-text.ts';

/** How an answer is written as plain text. */
export interface ReadTextOptions {
  /** The words in place of a table's cells. */
  readonly nameTable?: NameTable;
  /** The visitor stopped the answer, so that its Markdown ends anywhere: it is read as it is drawn. */
  readonly isStopped?: boolean | undefined;
}

/** Returns an agent's text without its Markdown. */
export function readText(text: string, { nameTable, isStopped = false }: ReadTextOptions = {}): string {
  return toPlainText(createMarkdownStream()(text, isStopped), nameTable);
}
