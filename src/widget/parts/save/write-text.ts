import type { Strings } from '../../locales/catalogue.ts';
import type { SavedConversation, SavedEntry } from './saved-conversation.ts';
import { speakerLabelOf } from './speaker-label.ts';

/** Writes the conversation as plain text: one paragraph per entry, with time, zone and speaker. */
export function writeText(conversation: SavedConversation, strings: Strings): string {
  const { language, entries, markdown } = conversation;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' });
  return entries
    .map((entry) => `[${format.format(entry.atMs)}] ${textOf(entry, strings, markdown)}\n`)
    .join('\n');
}

function textOf(entry: SavedEntry, strings: Strings, markdown: SavedConversation['markdown']): string {
  if (entry.kind === 'notice') return entry.text;
  const { from, name, text, isSent, isStopped, links, calls } = entry;
  const role = speakerLabelOf(entry, strings);
  const said = from === 'visitor' ? text : (markdown?.readText(text, entry) ?? text);
  return [
    `${name}${role && ` (${role})`}: ${said}`.trim(),
    ...(isStopped ? [strings.answerStopped] : []),
    ...links.map(({ title, url }) => (title === url ? url : `${title}: ${url}`)),
    ...calls.map(({ title, phoneNumber }) => `${title} ${phoneNumber}`.trim()),
    ...(isSent ? [] : [strings.notSent]),
  ].join('\n');
}
