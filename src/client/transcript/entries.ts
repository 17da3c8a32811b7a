import type { ServerEvent } from '../../protocol/index.ts';
import { resolveSpeaker } from './presence.ts';
import type { Entry, Transcript } from './transcript-state.ts';

const compare = (a: Entry, b: Entry): number => a.sequence - b.sequence || a.arrival - b.arrival;

/** The entry of a key. Searched from the end: streams and echoes are near it. */
const findEntry = ({ entries }: Transcript, key: string): Entry | undefined =>
  entries.findLast(({ item }) => item.key === key);

/** Takes an entry out; its place stays claimed. */
export function removeEntry(transcript: Transcript, key: string): Transcript {
  const { entries } = transcript;
  return findEntry(transcript, key)
    ? { ...transcript, entries: entries.filter(({ item }) => item.key !== key) }
    : transcript;
}

/** An entry at its place, with whoever is known to speak there. */
export function placeEntry({ places, presence }: Transcript, entry: Entry): Entry {
  const { item, author } = entry;
  const { sequence, arrival, atMs } = places.get(item.key) ?? { ...entry, ...item };
  return {
    ...entry,
    sequence,
    arrival,
    item:
      item.kind === 'agent'
        ? { ...item, atMs, speaker: resolveSpeaker(presence, item.speaker.kind, author, sequence) }
        : { ...item, atMs },
  };
}

/**
 * Puts an entry at its place, instead of the one with its key if there is one: an older wording than the one
 * shown changes nothing. Source: DUP-4, DUP-5. A key that `isNew` is not searched for: that would be a search through
 * the whole history for every message.
 */
export function putEntry(transcript: Transcript, given: Entry, isNew: boolean): Transcript {
  const { entries, growing } = transcript;
  const known = isNew ? undefined : findEntry(transcript, given.item.key);
  const entry = placeEntry(
    transcript,
    known && known.contentSequence > given.contentSequence ? known : given,
  );
  const list = growing === entries ? growing : [...entries];
  const at = known ? list.lastIndexOf(known) : list.length;
  list[at] = entry;
  const [before = entry, after = entry] = [list[at - 1], list[at + 1]];
  // Nearly everything comes at the end, and stays where it is.
  if (compare(before, entry) > 0 || compare(entry, after) > 0) list.sort(compare);
  return list === entries ? transcript : { ...transcript, entries: list };
}

/** Claims a place for a message; the earliest claim stands, and what is shown already moves there. Source: DUP-5, ASM-14. */
export function claimPlace(
  transcript: Transcript,
  key: string,
  event: ServerEvent,
  nowMs: number,
): Transcript {
  const { places, cursor, arrivals } = transcript;
  const sequence = event.sequence ?? cursor;
  const known = places.get(key);
  if (known && known.sequence <= sequence) return transcript;
  const place = { sequence, arrival: known?.arrival ?? arrivals, atMs: event.timestampMs ?? nowMs };
  const placed = { ...transcript, places: places.with(key, place, !known) };
  const shown = known && findEntry(transcript, key);
  return shown ? putEntry(placed, shown, false) : placed;
}
