// The conversation as a file, on paper or in the clipboard: fetched with the menu.
import type { PanelModel } from '../panel-model.ts';
import type { Strings } from '../strings/catalogue.ts';
import { drawPage } from './conversation-page.tsx';
import { printPage } from './print-page.ts';
import { saveFile } from './save-file.ts';
import { readConversation, type SavedConversation } from './saved-conversation.ts';
import { writeHtml } from './write-html.tsx';
import { writeJson } from './write-json.ts';
import { writeText } from './write-text.ts';

/** What a conversation can be written as. */
type TranscriptFormat = 'text' | 'html' | 'json';

/** The ways to take a conversation out of the panel, besides the clipboard. */
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
 * Hands the visitor the conversation as a file named after the day, or opens the print dialog with it, by way of a frame
 * in `root`. Resolves when the browser has taken it over.
 */
export async function exportConversation(form: ExportForm, model: PanelModel, root: Node): Promise<void> {
  const conversation = await takeConversation(model);
  const strings = model.strings.peek();
  if (form === 'print') {
    await printPage(drawPage(conversation, strings), conversation, root);
    return;
  }
  const { extension, type, write } = FORMATS[form];
  const day = new Date().toLocaleDateString('sv');
  saveFile(`chat-${day}.${extension}`, `${type};charset=utf-8`, write(conversation, strings));
}

/** The conversation as plain text, for the clipboard. */
export async function readAsText(model: PanelModel): Promise<string> {
  return writeText(await takeConversation(model), model.strings.peek());
}

/** The notices have the words of the part that draws them, which is there as soon as a conversation has any. */
async function takeConversation(model: PanelModel): Promise<SavedConversation> {
  const hasNotices = model.chat.messages.peek().some((message) => message.peek().kind === 'system');
  const notices = hasNotices ? await model.parts.notices.load() : null;
  return readConversation(model, Date.now(), notices?.selectNoticeText);
}
