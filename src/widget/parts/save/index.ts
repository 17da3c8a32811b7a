// Exports of the conversation: file, print and clipboard. Loaded with the menu.

import type { Strings } from '../../locales/catalogue.ts';
import type { PanelModel } from '../../panel/model/panel-model.ts';
import { printPage } from './print-page.ts';
import { renderPage } from './render-page.tsx';
import { saveFile } from './save-file.ts';
import { createSnapshot, type SavedConversation } from './saved-conversation.ts';
import { writeHtml } from './write-html.tsx';
import { writeJson } from './write-json.ts';
import { writeText } from './write-text.ts';

export { saveFile };

/** File formats of an exported conversation. */
type TranscriptFormat = 'text' | 'html' | 'json';

/** Forms of an export, besides the clipboard. */
export type ExportForm = TranscriptFormat | 'print';

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
 * Saves the conversation as a file named after the day, or prints it through an iframe in `root`. Resolves when the
 * browser has started the download or shown the print dialog.
 */
export async function exportConversation(form: ExportForm, model: PanelModel, root: Node): Promise<void> {
  const conversation = await takeSnapshot(model);
  const strings = model.strings.peek();
  if (form === 'print') {
    await printPage(renderPage(conversation, strings), conversation, root);
    return;
  }
  const { extension, type, write } = FORMATS[form];
  const day = new Date().toLocaleDateString('sv');
  saveFile(`chat-${day}.${extension}`, `${type};charset=utf-8`, write(conversation, strings));
}

/** Returns the conversation as plain text, for the clipboard. */
export async function readAsText(model: PanelModel): Promise<string> {
  return writeText(await takeSnapshot(model), model.strings.peek());
}

/** Takes a snapshot of the conversation. Markdown and the texts of notices are lazy parts. */
async function takeSnapshot(model: PanelModel): Promise<SavedConversation> {
  const hasNotices = model.entries.peek().some((message) => message.peek().kind === 'system');
  const [markdown, notices] = await Promise.all([
    model.parts.markdown.load(),
    hasNotices ? model.parts.notices.load() : null,
  ]);
  return createSnapshot(model, Date.now(), markdown, notices?.selectNoticeText);
}
