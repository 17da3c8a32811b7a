import type { Speaker } from '../chat-state.ts';
import type { Author, PresenceRecord } from './transcript-state.ts';

/** Adds a record at its place, so that late arrivals change nothing but the past. */
export function addPresence(
  presence: readonly PresenceRecord[],
  record: PresenceRecord,
): readonly PresenceRecord[] {
  return [...presence, record].toSorted((a, b) => a.sequence - b.sequence);
}

/** Whoever speaks for the company after everything recorded. */
export function selectSpeaker(presence: readonly PresenceRecord[]): Speaker | null {
  return presence.reduce<Speaker | null>((current, { change }) => {
    if (change.type === 'joined') return change.speaker;
    return current?.kind === change.kind ? null : current;
  }, null);
}

/** The author of a message: what the message says, completed from the last fitting join before it. */
export function resolveSpeaker(
  presence: readonly PresenceRecord[],
  kind: Speaker['kind'],
  author: Author,
  sequence: number,
): Speaker {
  const join = presence.findLast(
    ({ sequence: at, change }) =>
      at <= sequence &&
      change.type === 'joined' &&
      change.speaker.kind === kind &&
      (author.id === null || change.speaker.id === author.id),
  );
  const known = join?.change.type === 'joined' ? join.change.speaker : null;
  return {
    kind,
    id: author.id ?? known?.id ?? null,
    name: author.name ?? known?.name ?? null,
    avatarUrl: author.avatarUrl ?? known?.avatarUrl ?? null,
  };
}
