import type { ReadonlySignal } from '@preact/signals';
import type { TranscriptItem } from '../client/index.ts';
import { createMarkdownStream } from './markdown/markdown-stream.ts';
import { toPlainText } from './markdown/to-plain-text.ts';
import { selectNoticeText } from './select-notice.ts';
import type { Strings } from './strings/catalogue.ts';

/** The whole conversation as plain text, one entry per paragraph, each with its time and its speaker. */
export function writeTranscript(
  messages: readonly ReadonlySignal<TranscriptItem>[],
  strings: Strings,
  locale: string,
  agentName: string,
): string {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' });
  return messages
    .map((message) => {
      const item = message.peek();
      const at = time.format(item.atMs);
      switch (item.kind) {
        case 'user':
          return `[${at}] ${strings.you}: ${item.text}`;
        case 'system':
          return `[${at}] ${selectNoticeText(item.notice, strings, locale, agentName)}`;
        case 'agent': {
          const links = item.attachments.flatMap(({ title, contentUrl }) =>
            contentUrl ? [`${title ?? ''} ${contentUrl}`.trim()] : [],
          );
          return [`[${at}] ${item.speaker.name ?? agentName}: ${readText(item.text)}`, ...links].join('\n');
        }
      }
    })
    .join('\n\n');
}

/** An agent's text without its Markdown. */
export function readText(text: string): string {
  return toPlainText(createMarkdownStream().update(text, false));
}
