import type { Speaker } from '../../chat-state.ts';
import type { PresenceRecord } from './transcript-state.ts';

/** The automated agent without further details. */
export const UNKNOWN_AGENT: Speaker = { kind: 'agent', id: null, name: null, avatarUrl: null };

/** Returns the current speaker of the company. */
export const selectSpeaker = (presence: readonly PresenceRecord[]): Speaker | null =>
  presence.reduce<Speaker | null>(
    (current, { kind, speaker }) => speaker ?? (current?.kind === kind ? null : current),
    null,
  );

/** Returns the author of a message: the message's own fields, completed from the last matching join before it. */
export function resolveSpeaker(
  presence: readonly PresenceRecord[],
  { kind, id, name, avatarUrl }: Speaker,
  sequence: number,
): Speaker {
  const known =
    presence.findLast(
      (record) =>
        record.sequence <= sequence &&
        record.speaker?.kind === kind &&
        (id === null || record.speaker.id === id),
    )?.speaker ?? UNKNOWN_AGENT;
  return {
    kind,
    id: id ?? known.id,
    name: name ?? known.name,
    avatarUrl: avatarUrl ?? known.avatarUrl,
  };
}
