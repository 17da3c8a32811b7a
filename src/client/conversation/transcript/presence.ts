import type { Speaker } from '../../chat-state.ts';
import type { PresenceRecord } from './transcript-state.ts';

/** The automated agent, of which nothing else is known. */
export const UNKNOWN_AGENT: Speaker = { kind: 'agent', id: null, name: null, avatarUrl: null };

/** Returns the current speaker of the company. */
export const selectSpeaker = (presence: readonly PresenceRecord[]): Speaker | null =>
  presence.reduce<Speaker | null>(
    (current, { kind, speaker }) => speaker ?? (current?.kind === kind ? null : current),
    null,
  );

/** The author of a message: what the message says, completed from the last fitting join before it. */
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
