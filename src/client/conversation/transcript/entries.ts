import { append, lookUp } from './append-map.ts';
import { resolveSpeaker } from './presence.ts';
import type { Entry, MessagePosition, Transcript } from './transcript-state.ts';

/**
 * Finds an entry's index, or where it would be inserted. Does not search earlier entries, because that would scan the
 * whole history per message.
 */
function indexOf({ entries, positions }: Transcript, key: string): number {
  const { sequence } = lookUp(positions, key) ?? { sequence: Infinity };
  const at = entries.findLastIndex((entry) => entry.item.key === key || entry.sequence < sequence);
  return entries[at]?.item.key === key ? at : entries.length;
}

/** Removes an entry; its position stays known. */
export function removeEntry(transcript: Transcript, key: string): Transcript {
  return { ...transcript, entries: transcript.entries.filter(({ item }) => item.key !== key) };
}

/** Returns an entry at its position, with the speaker at that time. */
export function placeEntry({ positions, presence }: Transcript, entry: Entry): Entry {
  const { item, author } = entry;
  const { sequence, atMs } = lookUp(positions, item.key) ?? { ...entry, ...item };
  return {
    ...entry,
    sequence,
    item:
      author && item.kind === 'agent'
        ? { ...item, atMs, speaker: resolveSpeaker(presence, author, sequence) }
        : { ...item, atMs },
  };
}

/** A changed message keeps the visitor's rating. */
function keepFeedback(entry: Entry, { item: known }: Entry): Entry {
  if (known.kind !== 'agent' || !known.feedback || entry.item.kind !== 'agent') return entry;
  return { ...entry, item: { ...entry.item, feedback: known.feedback } };
}

/**
 * Inserts an entry at its position, or replaces the one with its key; older content than the shown one changes nothing.
 * Source: DUP-4, DUP-5.
 */
export function putEntry(transcript: Transcript, received: Entry): Transcript {
  const { entries, isBatching } = transcript;
  const at = indexOf(transcript, received.item.key);
  const known = entries[at] ?? received;
  const placed = placeEntry(transcript, known.contentSequence > received.contentSequence ? known : received);
  const entry = keepFeedback(placed, known);
  // The list was created in this batch and is not published yet, so mutating it avoids a copy per event.
  const list = isBatching ? (entries as Entry[]) : [...entries];
  list[at] = entry;
  const { sequence } = entry;
  const [before = entry, after = entry] = [list[at - 1], list[at + 1]];
  // Nearly all entries are appended at the end and stay there.
  if (before.sequence > sequence || sequence > after.sequence) list.sort((a, b) => a.sequence - b.sequence);
  return { ...transcript, entries: list };
}

/** Sets a message's position; the earliest one wins, and a shown entry moves there. Source: DUP-5, ASM-14. */
export function setPosition(transcript: Transcript, key: string, position: MessagePosition): Transcript {
  const { positions, entries } = transcript;
  const known = lookUp(positions, key);
  if (known && known.sequence <= position.sequence) return transcript;
  const placed = { ...transcript, positions: append(positions, key, position) };
  const shown = known && entries[indexOf(transcript, key)];
  return shown ? putEntry(placed, shown) : placed;
}
