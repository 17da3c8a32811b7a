import { append, lookUp } from './append-map.ts';
import { resolveSpeaker } from './presence.ts';
import type { Entry, MessagePosition, Transcript } from './transcript-state.ts';

/**
 * Where the entry of a key is, or would be added. Nothing before its position is looked at: that would be a search through
 * the whole history for every message.
 */
function indexOf({ entries, positions }: Transcript, key: string): number {
  const { sequence } = lookUp(positions, key) ?? { sequence: Infinity };
  const at = entries.findLastIndex((entry) => entry.item.key === key || entry.sequence < sequence);
  return entries[at]?.item.key === key ? at : entries.length;
}

/** Takes an entry out; its position stays known. */
export function removeEntry(transcript: Transcript, key: string): Transcript {
  return { ...transcript, entries: transcript.entries.filter(({ item }) => item.key !== key) };
}

/** Returns an entry at its position, with the speaker known there. */
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

/** A new wording of a message does not change what the visitor thought of it. */
function keepFeedback(entry: Entry, { item: known }: Entry): Entry {
  if (known.kind !== 'agent' || !known.feedback || entry.item.kind !== 'agent') return entry;
  return { ...entry, item: { ...entry.item, feedback: known.feedback } };
}

/**
 * Puts an entry at its position, instead of the one with its key if there is one: an older wording than the one
 * shown changes nothing. Source: DUP-4, DUP-5.
 */
export function putEntry(transcript: Transcript, given: Entry): Transcript {
  const { entries, isBatching } = transcript;
  const at = indexOf(transcript, given.item.key);
  const known = entries[at] ?? given;
  const placed = placeEntry(transcript, known.contentSequence > given.contentSequence ? known : given);
  const entry = keepFeedback(placed, known);
  // The list was created in this batch and is not published, so that a history is not copied per event.
  const list = isBatching ? (entries as Entry[]) : [...entries];
  list[at] = entry;
  const { sequence } = entry;
  const [before = entry, after = entry] = [list[at - 1], list[at + 1]];
  // Nearly everything comes at the end, and stays where it is.
  if (before.sequence > sequence || sequence > after.sequence) list.sort((a, b) => a.sequence - b.sequence);
  return { ...transcript, entries: list };
}

/** Sets the position of a message; the earliest one stands, and an entry that is shown moves there. Source: DUP-5, ASM-14. */
export function setPosition(transcript: Transcript, key: string, position: MessagePosition): Transcript {
  const { positions, entries } = transcript;
  const known = lookUp(positions, key);
  if (known && known.sequence <= position.sequence) return transcript;
  const placed = { ...transcript, positions: append(positions, key, position) };
  const shown = known && entries[indexOf(transcript, key)];
  return shown ? putEntry(placed, shown) : placed;
}
