import type { ReadTextOptions } from '../markdown/index.ts';
import type { LazyParts } from './model/panel-model.ts';
import { readPlainText } from './transcript/read-plain-text.ts';

/** Returns an agent's text without its Markdown; with it if the code for Markdown cannot be loaded. */
export async function readMessageText(
  text: string,
  { markdown }: Pick<LazyParts, 'markdown'>,
  options?: ReadTextOptions,
): Promise<string> {
  if (readPlainText(text).isWhole) return text;
  const code = await markdown.load();
  return code?.readText(text, options) ?? text;
}
