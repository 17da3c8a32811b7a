import type { ConversationTurn } from '@natter/sdk';
import type { Line } from '../desk/read-transcript.ts';

/** A note of a person, which visitors never see. */
export interface StoryNote {
  readonly id: string;
  readonly person_name: string;
  readonly text: string;
  readonly created_at: string;
}

/** An entry of a conversation's transcript; `number` is the turn's. */
export type StoryItem =
  | { readonly kind: 'turn'; readonly key: string; readonly turn: ConversationTurn; readonly number: number }
  | { readonly kind: 'line'; readonly key: string; readonly line: Line }
  | { readonly kind: 'note'; readonly key: string; readonly note: StoryNote };

/**
 * The whole conversation in order: the turns of the automated agent, what people and visitor said to each other, what
 * happened, and notes. What follows the last turn waits until all turns are there (`hasMoreTurns`).
 */
export function mergeStory(
  turns: readonly ConversationTurn[],
  lines: readonly Line[],
  notes: readonly StoryNote[],
  hasMoreTurns: boolean,
): readonly StoryItem[] {
  let turnMs = Number.NEGATIVE_INFINITY;
  const timed = turns.map((turn, index) => {
    const readMs = Date.parse(turn.user_input_datetime);
    // A turn without words of the visitor has no time.
    if (!Number.isNaN(readMs)) turnMs = Math.max(turnMs, readMs);
    const item: StoryItem = { kind: 'turn', key: `turn ${index + 1}`, turn, number: index + 1 };
    return { atMs: turnMs, item };
  });
  const others: readonly { readonly atMs: number; readonly item: StoryItem }[] = [
    ...lines.map((line) => ({
      atMs: Date.parse(line.at),
      item: { kind: 'line' as const, key: `line ${line.key}`, line },
    })),
    ...notes.map((note) => ({
      atMs: Date.parse(note.created_at),
      item: { kind: 'note' as const, key: `note ${note.id}`, note },
    })),
  ];
  const shown = hasMoreTurns ? others.filter(({ atMs }) => atMs < turnMs) : others;
  return [...timed, ...shown].toSorted((one, other) => compare(one.atMs, other.atMs)).map(({ item }) => item);
}

/** Not by the difference: two turns may have no time yet. */
const compare = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);
