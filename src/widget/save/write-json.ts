import type { SavedConversation } from './saved-conversation.ts';

/** Goes up when a reader of older files would misread newer ones. */
const VERSION = 1;

/** The conversation as data, in the shape that docs/transcripts.md describes. Times are ISO 8601, in UTC. */
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
