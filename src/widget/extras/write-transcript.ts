import type { ReadonlySignal } from '@preact/signals-core';
import type { Attachment, TranscriptItem } from '../../client/index.ts';
import { readText } from '../read-text.ts';
import { selectNoticeText } from '../select-notice.ts';
import type { Strings } from '../strings/catalogue.ts';

/** The whole conversation as plain text, one entry per paragraph, each with its time and its speaker. */
export function writeTranscript(
  messages: readonly ReadonlySignal<TranscriptItem>[],
  strings: Strings,
  locale: string,
  agentName: string,
): string {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' });
  const entry = (item: TranscriptItem): string => {
    switch (item.kind) {
      case 'user':
        return `${strings.you}: ${item.text}`;
      case 'system':
        return selectNoticeText(item.notice, strings, locale, agentName);
      case 'agent':
        return [
          `${item.speaker.name ?? agentName}: ${readText(item.text)}`,
          ...addresses(item.attachments),
        ].join('\n');
    }
  };
  return messages
    .map((message) => `[${time.format(message.peek().atMs)}] ${entry(message.peek())}`)
    .join('\n\n');
}

function addresses(attachments: readonly Attachment[]): readonly string[] {
  return attachments.flatMap(({ title, contentUrl }) =>
    contentUrl ? [`${title ?? ''} ${contentUrl}`.trim()] : [],
  );
}
