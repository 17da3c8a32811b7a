import * as LIMITS from './limits.ts';
import type { CustomMap } from './server-events.ts';
import { utf8Length } from './utf8-length.ts';
import { type KnownEventType, toWireType, type Vocabulary } from './vocabulary.ts';

/** An event as stored in the platform's log: neutral type, wire payload. Source: V-7. */
export interface OutgoingEvent {
  readonly id: string;
  readonly sequence: number | null;
  readonly timestampMs: number;
  readonly type: KnownEventType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly custom: CustomMap | null;
}

/** Encodes one frame to a client: the full envelope, `metadata` only if there is a custom map. Source: messaging.md 5.1. */
export function encodeServerEvent(event: OutgoingEvent, vocabulary: Vocabulary): string {
  return JSON.stringify({
    id: event.id,
    sequence: event.sequence,
    timestamp: new Date(event.timestampMs).toISOString(),
    type: toWireType(event.type, vocabulary),
    payload: event.payload,
    ...(event.custom && { metadata: { custom: event.custom } }),
  });
}

/** How a replay is split into frames. */
export interface BatchOptions {
  readonly vocabulary: Vocabulary;
  /** Maximum UTF-8 bytes of one batch frame. A larger event gets a separate frame. */
  readonly maxBytes: number;
  readonly maxEvents?: number;
  readonly nowMs: number;
  /** A new event id per frame. */
  readonly createId: () => string;
  /** Highest sequence of the session, sent as `last_sequence`. */
  readonly lastSequence: number;
  /** True when more frames follow after these. */
  readonly hasMore?: boolean;
  /** Encodes one event, for a caller that keeps the texts of events that it sends to many. Default: a new text. */
  readonly encode?: (event: OutgoingEvent, vocabulary: Vocabulary) => EncodedEvent;
}

/** An encoded event and its length in UTF-8 bytes. */
export interface EncodedEvent {
  readonly text: string;
  readonly bytes: number;
}

/** Bytes reserved for the batch's own envelope, including its additive fields. */
const ENVELOPE_BYTES = 256;

/**
 * Encodes a replay as EVENT_BATCH frames in order: at least one frame, also without events. The last frame has
 * `has_more: false`, unless the caller has more frames to send. Source: RPL-1, RPL-4, RPL-5.
 */
export function encodeBatches(events: readonly OutgoingEvent[], options: BatchOptions): readonly string[] {
  const maxEvents = options.maxEvents ?? LIMITS.maxEventsPerBatch;
  const encode = options.encode ?? encodeAndMeasure;
  const groups: string[][] = [[]];
  let groupBytes = 0;
  for (const event of events) {
    const { text, bytes: textBytes } = encode(event, options.vocabulary);
    const bytes = textBytes + 1;
    const group = groups.at(-1) ?? [];
    const isFull = group.length >= maxEvents || groupBytes + bytes > options.maxBytes - ENVELOPE_BYTES;
    if (group.length > 0 && isFull) {
      groups.push([text]);
      groupBytes = bytes;
    } else {
      group.push(text);
      groupBytes += bytes;
    }
  }
  return groups.map((group, index) => {
    const hasMore = index < groups.length - 1 || (options.hasMore ?? false);
    const head = JSON.stringify({
      id: options.createId(),
      sequence: null,
      timestamp: new Date(options.nowMs).toISOString(),
      type: 'EVENT_TYPE_EVENT_BATCH',
    });
    // The events are already JSON; joining the texts avoids encoding a long history twice.
    return `${head.slice(0, -1)},"payload":{"events":[${group.join(',')}],"has_more":${hasMore},"last_sequence":${options.lastSequence}}}`;
  });
}

function encodeAndMeasure(event: OutgoingEvent, vocabulary: Vocabulary): EncodedEvent {
  const text = encodeServerEvent(event, vocabulary);
  return { text, bytes: utf8Length(text) };
}
