import { createMarkdownStream } from './markdown/markdown-stream.ts';
import { toPlainText } from './markdown/to-plain-text.ts';

/** Returns an agent's text without its Markdown. */
export function readText(text: string): string {
  return toPlainText(createMarkdownStream()(text, false));
}
