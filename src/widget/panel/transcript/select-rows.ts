import { computed, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Speaker, SystemNotice, TranscriptItem } from '../../../client/index.ts';
import { stableComputed } from '../../signals/stable-computed.ts';
import { WINDOW_STEP, type Window } from './select-window.ts';

export type Item<K extends TranscriptItem['kind']> = Extract<TranscriptItem, { kind: K }>;

/** A row of the transcript: a day, the start of a later chat, a notice, a hand-off, or consecutive messages of one speaker. */
export type Row =
  | { readonly kind: 'start'; readonly key: string }
  | { readonly kind: 'day'; readonly key: string; readonly atMs: number }
  | { readonly kind: 'system'; readonly key: string; readonly item: ReadonlySignal<TranscriptItem> }
  /** A hand-off: its last notice, with the key of its first. `hours` are the desk's. */
  | {
      readonly kind: 'handoff';
      readonly key: string;
      readonly item: ReadonlySignal<TranscriptItem>;
      readonly hours: string | undefined;
    }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly from: 'user' | 'agent';
      /** The speaker differs from the previous message's, so that name and avatar are shown. */
      readonly isNewSpeaker: boolean;
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
  readonly handoff: HandoffStep | null;
  /** The desk's hours, which the start of a hand-off contains. */
  readonly hours: string | undefined;
}

/**
 * What a notice means for its hand-off: the visitor waits, a human agent has come, the automated agent continues, or
 * the automated agent left or joined meanwhile.
 */
type HandoffStep = 'waits' | 'ends' | 'returns' | 'within';
const HANDOFF_STEPS: { readonly [Code in SystemNotice['code']]?: HandoffStep } = {
  handoff_started: 'waits',
  handoff_accepted: 'waits',
  live_agent_joined: 'ends',
  handoff_failed: 'returns',
  handoff_cancelled: 'returns',
  handoff_timed_out: 'returns',
  agent_left: 'within',
  agent_joined: 'within',
};

/** True for a notice after which the visitor waits for a person. */
export const isWaiting = (item: TranscriptItem): boolean => stepOf(item) === 'waits';

/**
 * Returns true for a notice about the automated agent that is not shown: its arrival at the start of every
 * conversation, and its steps in a hand-off, whose card names who answers next.
 */
export function isHiddenNotice(
  item: TranscriptItem,
  messages: readonly ReadonlySignal<TranscriptItem>[],
): boolean {
  if (item === findFirstJoin(messages)?.peek()) return true;
  if (stepOf(item) !== 'within') return false;
  const before = messages.slice(
    0,
    messages.findIndex((entry) => entry.peek() === item),
  );
  const previous = before.findLast((entry) => stepOf(entry.peek()) !== 'within')?.peek();
  const step = previous && stepOf(previous);
  return step === 'waits' || step === 'returns';
}

const stepOf = (item: TranscriptItem): HandoffStep | null =>
  (item.kind === 'system' && HANDOFF_STEPS[item.notice.code]) || null;

/**
 * Groups the entries of a window into rows. Reads who wrote each entry and when, but not its text, so a chunk of text
 * reads its own entry again and changes no row.
 */
export function createRowSelector(
  messages: ReadonlySignal<readonly ReadonlySignal<TranscriptItem>[]>,
  nowMs: () => number,
  window: ReadonlySignal<Window>,
  chatStarts: ReadonlySignal<readonly number[]> = signal([]),
): ReadonlySignal<readonly Row[]> {
  const shapeOf = createShapeReader();
  const range = stableComputed(() => window.value);
  return computed(() => {
    const { value } = messages;
    const [from, to] = range.value;
    const starts = new Set(chatStarts.value);
    const firstJoins = new Set([0, ...starts].map((start) => findFirstJoin(value.slice(start))));
    const rows: Row[] = [];
    let previous: Shape | null = null;
    let previousMs = value[from - 1]?.peek().atMs ?? nowMs();
    let group: ReadonlySignal<TranscriptItem>[] = [];
    let lastSpeaker = '';
    const putOnCard = createHandoffCards(rows);
    // Not `entries()`, which Prototype.js replaces.
    let index = -1;
    for (const item of value.slice(from, to)) {
      index += 1;
      const isStart = starts.has(from + index);
      if (isStart) {
        rows.push({ kind: 'start', key: `start-${item.peek().key}` });
        lastSpeaker = '';
      }
      if (firstJoins.has(item)) {
        if (isStart) previous = null;
        continue;
      }
      const shape = shapeOf(item);
      const { key, kind, atMs } = shape;
      const isNewDay = dayOf(atMs) !== dayOf(previousMs);
      if (isNewDay) rows.push({ kind: 'day', key: `day-${key}`, atMs });
      const continues =
        !isNewDay &&
        !isStart &&
        index % WINDOW_STEP > 0 &&
        previous?.kind === kind &&
        previous.speaker === shape.speaker &&
        atMs - previousMs < GROUP_PAUSE_MS;
      previous = shape;
      previousMs = atMs;
      if (putOnCard(shape, item)) continue;
      if (kind === 'system') {
        rows.push({ kind, key, item });
      } else if (continues) {
        group.push(item);
      } else {
        group = [item];
        const isNewSpeaker = kind === 'agent' && (shape.speaker !== lastSpeaker || isNewDay);
        rows.push({ kind: 'group', key, from: kind, isNewSpeaker, items: group });
      }
      if (kind === 'agent') lastSpeaker = shape.speaker;
    }
    return rows;
  });
}

/** Returns a function that reads the shape of an entry, which is computed again only when the entry changes. */
function createShapeReader(): (entry: ReadonlySignal<TranscriptItem>) => Shape {
  const shapes = new WeakMap<ReadonlySignal<TranscriptItem>, ReadonlySignal<Shape>>();
  return (entry) => {
    const shape = shapes.get(entry) ?? stableComputed(() => toShape(entry.value));
    shapes.set(entry, shape);
    return shape.value;
  };
}

/**
 * Returns a function that puts the notices of one hand-off on one card, in the row of the last notice. It returns false
 * for an entry that gets a separate row.
 */
function createHandoffCards(rows: Row[]): (shape: Shape, item: ReadonlySignal<TranscriptItem>) => boolean {
  /** Key of the card of a hand-off that has not ended. */
  let openKey: string | null = null;
  let hours: string | undefined;
  let lastStep: HandoffStep | null = null;
  return (shape, item) => {
    const { handoff: step, key } = shape;
    if (step === null) return false;
    // The card says that the visitor waits for another human agent, or is back with the automated one.
    if (step === 'within') return rows.at(-1)?.kind === 'handoff' && lastStep !== 'ends';
    const at = rows.findIndex((row) => row.key === openKey);
    if (at >= 0) rows.splice(at, 1);
    const rowKey = openKey ?? `handoff-${key}`;
    hours = openKey === null ? shape.hours : (shape.hours ?? hours);
    rows.push({ kind: 'handoff', key: rowKey, item, hours });
    openKey = step === 'waits' ? rowKey : null;
    lastStep = step;
    return true;
  };
}

function toShape(item: TranscriptItem): Shape {
  const speaker = item.kind === 'agent' ? speakerKey(item.speaker) : '';
  const notice = item.kind === 'system' ? item.notice : null;
  const handoff = stepOf(item);
  const hours = notice?.code === 'handoff_started' ? notice.hours : undefined;
  return { kind: item.kind, key: item.key, speaker, atMs: item.atMs, handoff, hours };
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
