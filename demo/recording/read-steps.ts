import { toNeutralType } from 'natter/protocol';
import type { RecordedFrame, Recording } from './recording.ts';

/** One thing that happens in a replay, in order. */
export type ReplayStep =
  /** The platform sends an event; `sequence` is null where it is not in the log. */
  | {
      readonly kind: 'event';
      readonly atMs: number;
      readonly event: RecordedFrame;
      readonly sequence: number | null;
    }
  /** The visitor has to send an event of this type before anything else happens. */
  | { readonly kind: 'wait'; readonly atMs: number; readonly type: string; readonly sent: RecordedFrame }
  /** The connection is lost. */
  | { readonly kind: 'cut'; readonly atMs: number };

/** Sent by clients as they like, so that nothing in a replay depends on it. */
const NEVER_AWAITED = ['EVENT_TYPE_USER_TYPING', 'EVENT_TYPE_HEARTBEAT'];

/** The name of a frame's type that both vocabularies share. Source: V-1. */
export const typeOf = ({ type }: RecordedFrame): string => toNeutralType(type) ?? type;

/** The client's id of a frame, by which its echo is known; null without one. Source: MET-4. */
export function clientIdOf(frame: object): string | null {
  const metadata = fieldOf(frame, 'metadata');
  const custom = fieldOf(metadata, 'custom');
  const id = fieldOf(custom, 'client_event_id') ?? fieldOf(custom, 'local_id');
  return typeof id === 'string' ? id : null;
}

/** A field of a value that may not be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Resolves batches, and frames sent twice because of a lost connection, into single steps. */
export function readSteps({ lines }: Recording): readonly ReplayStep[] {
  const steps: ReplayStep[] = [];
  const awaited = new Set<string>();
  const sequences = new Set<number>();
  for (const line of lines) {
    const { atMs } = line;
    if (line.way === 'cut') {
      steps.push({ kind: 'cut', atMs });
    } else if (line.way === 'out') {
      const id = clientIdOf(line.frame);
      if (NEVER_AWAITED.includes(typeOf(line.frame)) || (id !== null && awaited.has(id))) continue;
      if (id !== null) awaited.add(id);
      steps.push({ kind: 'wait', atMs, type: typeOf(line.frame), sent: line.frame });
    } else {
      for (const event of eventsOf(line.frame)) {
        const number = event['sequence'];
        const sequence = typeof number === 'number' ? number : null;
        if (sequence !== null && sequences.has(sequence)) continue;
        if (sequence !== null) sequences.add(sequence);
        steps.push({ kind: 'event', atMs, event, sequence });
      }
    }
  }
  return steps;
}

function eventsOf(frame: RecordedFrame): readonly RecordedFrame[] {
  if (typeOf(frame) !== 'EVENT_TYPE_EVENT_BATCH') return [frame];
  const events = fieldOf(frame['payload'], 'events');
  // The schema lets every frame have any payload; other entries of a batch are left out.
  return Array.isArray(events)
    ? events.filter((event): event is RecordedFrame => typeof fieldOf(event, 'type') === 'string')
    : [];
}
