import type { SavedConversation } from './saved-conversation.ts';

/** Increased with each change that breaks readers of older files. */
const VERSION = 1;

/** Writes the conversation as JSON in the format of docs/transcripts.md. Times are ISO 8601 in UTC. */
export function writeJson(conversation: SavedConversation): string {
  const { title, language, savedAtMs, entries } = conversation;
  const toIso = (atMs: number): string => new Date(atMs).toISOString();
  const file = {
    format: 'natter-transcript',
    version: VERSION,
    title,
    language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    savedAt: toIso(savedAtMs),
    entries: entries.map(({ kind, atMs, ...entry }) => ({ kind, at: toIso(atMs), ...entry })),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
