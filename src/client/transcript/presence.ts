import type { Speaker } from '../chat-state.ts';
import type { Author, PresenceRecord } from './transcript-state.ts';

export const NOBODY: Author = { id: null, name: null, avatarUrl: null };

/** Adds a record at its place, so that late arrivals change nothing but the past. */
export function addPresence(
  presence: readonly PresenceRecord[],
  record: PresenceRecord,
): readonly PresenceRecord[] {
  return [...presence, record].toSorted((a, b) => a.sequence - b.sequence);
}

/** Whoever speaks for the company after everything recorded. */
export function selectSpeaker(presence: readonly PresenceRecord[]): Speaker | null {
  return presence.reduce<Speaker | null>(
    (current, { kind, speaker }) => speaker ?? (current?.kind === kind ? null : current),
    null,
  );
}

/** The author of a message: what the message says, completed from the last fitting join before it. */
export function resolveSpeaker(
  presence: readonly PresenceRecord[],
  kind: Speaker['kind'],
  { id, name, avatarUrl }: Author,
  sequence: number,
): Speaker {
  const known: Author =
    presence.findLast(
      (record) =>
        record.sequence <= sequence &&
        record.speaker?.kind === kind &&
        (id === null || record.speaker.id === id),
    )?.speaker ?? NOBODY;
  return {
    kind,
    id: id ?? known.id,
    name: name ?? known.name,
    avatarUrl: avatarUrl ?? known.avatarUrl,
  };
}
