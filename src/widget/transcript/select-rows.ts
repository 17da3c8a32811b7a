import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { Speaker, TranscriptItem } from '../../client/index.ts';
import { stableComputed } from '../signals/stable-computed.ts';
import { WINDOW_STEP, type Window } from './select-window.ts';

export type Item<K extends TranscriptItem['kind']> = Extract<TranscriptItem, { kind: K }>;

/** A row of the transcript: a day, a notice, or consecutive messages of one speaker. */
export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly atMs: number }
  | { readonly kind: 'system'; readonly key: string; readonly item: ReadonlySignal<TranscriptItem> }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly from: 'user' | 'agent';
      readonly items: readonly ReadonlySignal<TranscriptItem>[];
    };

// After a longer pause a new group begins, which shows the name again.
const GROUP_PAUSE_MS = 5 * 60_000;

/** The properties of an entry that decide its row. */
interface Shape {
  readonly kind: TranscriptItem['kind'];
  readonly key: string;
  readonly speaker: string;
  readonly atMs: number;
}

/**
 * Groups the entries of a window into rows. Reads who wrote each entry and when, but not its text, so a chunk of text
 * reads its own entry again and changes no row.
 */
export function createRowSelector(
  messages: ReadonlySignal<readonly ReadonlySignal<TranscriptItem>[]>,
  nowMs: () => number,
  window: ReadonlySignal<Window>,
): ReadonlySignal<readonly Row[]> {
  const shapes = new WeakMap<ReadonlySignal<TranscriptItem>, ReadonlySignal<Shape>>();
  const shapeOf = (entry: ReadonlySignal<TranscriptItem>): Shape => {
    const shape = shapes.get(entry) ?? stableComputed(() => toShape(entry.value));
    shapes.set(entry, shape);
    return shape.value;
  };
  const range = stableComputed(() => window.value);
  return computed(() => {
    const { value } = messages;
    const [from, to] = range.value;
    const firstJoin = findFirstJoin(value);
    const rows: Row[] = [];
    let previous: Shape | null = null;
    let previousMs = value[from - 1]?.peek().atMs ?? nowMs();
    let group: ReadonlySignal<TranscriptItem>[] = [];
    for (const [index, item] of value.slice(from, to).entries()) {
      if (item === firstJoin) continue;
      const shape = shapeOf(item);
      const { key, kind, atMs } = shape;
      const isNewDay = dayOf(atMs) !== dayOf(previousMs);
      if (isNewDay) rows.push({ kind: 'day', key: `day-${key}`, atMs });
      const continues =
        !isNewDay &&
        index % WINDOW_STEP > 0 &&
        previous?.kind === kind &&
        previous.speaker === shape.speaker &&
        atMs - previousMs < GROUP_PAUSE_MS;
      previous = shape;
      previousMs = atMs;
      if (kind === 'system') {
        rows.push({ kind, key, item });
      } else if (continues) {
        group.push(item);
      } else {
        group = [item];
        rows.push({ kind: 'group', key, from: kind, items: group });
      }
    }
    return rows;
  });
}

function toShape(item: TranscriptItem): Shape {
  const speaker = item.kind === 'agent' ? speakerKey(item.speaker) : '';
  return { kind: item.kind, key: item.key, speaker, atMs: item.atMs };
}

/** Returns the notice that the automated agent joined, which is not shown: every conversation begins with it. */
export function findFirstJoin(
  messages: readonly ReadonlySignal<TranscriptItem>[],
): ReadonlySignal<TranscriptItem> | undefined {
  return messages.find((entry) => {
    const item = entry.peek();
    return item.kind === 'system' && item.notice.code === 'agent_joined';
  });
}

export function speakerKey(speaker: Speaker): string {
  return [speaker.kind, speaker.id, speaker.name].join('/');
}

function dayOf(atMs: number): string {
  return new Date(atMs).toDateString();
}
