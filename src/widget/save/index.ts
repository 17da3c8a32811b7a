// The conversation as a file or on paper: fetched when somebody wants one.
import type { PanelModel } from '../panel-model.ts';
import type { Strings } from '../strings/catalogue.ts';
import { drawPage } from './conversation-page.tsx';
import { printPage } from './print-page.ts';
import { saveFile } from './save-file.ts';
import { readConversation, type SavedConversation } from './saved-conversation.ts';
import { writeHtml } from './write-html.ts';
import { writeJson } from './write-json.ts';
import { writeText } from './write-text.ts';

/** What a conversation can be written as. */
export type TranscriptFormat = 'text' | 'html' | 'json';

interface Format {
  readonly extension: string;
  readonly type: string;
  readonly write: (conversation: SavedConversation, strings: Strings) => string;
}

const FORMATS: Readonly<Record<TranscriptFormat, Format>> = {
  text: { extension: 'txt', type: 'text/plain', write: writeText },
  html: { extension: 'html', type: 'text/html', write: writeHtml },
  json: { extension: 'json', type: 'application/json', write: writeJson },
};

/**
 * Hands the visitor the conversation as a file named after the day, or opens the print dialog with it, by way of a frame
 * in `root`. Resolves when the browser has taken it over.
 */
export async function exportConversation(
  form: TranscriptFormat | 'print',
  model: PanelModel,
  root: Node,
): Promise<void> {
  const conversation = readConversation(model, Date.now());
  const strings = model.strings.peek();
  if (form === 'print') {
    await printPage(drawPage(conversation, strings), conversation, root);
    return;
  }
  const { extension, type, write } = FORMATS[form];
  const day = new Date().toLocaleDateString('sv');
  saveFile(`chat-${day}.${extension}`, `${type};charset=utf-8`, write(conversation, strings));
}
