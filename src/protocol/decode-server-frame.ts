import { decodePayload, isServerEventType } from './decode-payload.ts';
import { findPayload } from './find-payload.ts';
import { type Fields, isFields, readCustom, readInteger, readString } from './read-field.ts';
import { readTimestampMs } from './read-timestamp.ts';
import type { ServerEvent } from './server-events.ts';
import { NOT_YET_SENT, toNeutralSpelling } from './vocabulary.ts';

/** Why a frame, or an element of a batch, was dropped. For logs. */
export type DropReason =
  | 'invalid_json'
  | 'not_object'
  | 'missing_type'
  | 'unknown_type'
  | 'missing_id'
  | 'missing_timestamp'
  | 'not_yet_sent'
  | 'malformed_batch'
  | 'nested_batch';

/** A dropped frame or element. Its `sequence` still moves the cursor (DUP-3). */
export interface Skipped {
  readonly reason: DropReason;
  readonly id: string;
  readonly sequence: number | null;
}

/** Result of decoding one frame from the platform. */
export type DecodedFrame =
  | {
      readonly kind: 'events';
      /** In the order to apply them: ascending sequence, transient ones last. */
      readonly events: readonly ServerEvent[];
      readonly skipped: readonly Skipped[];
      /** `null` for a single event. `hasMore` is `null` if the platform did not send it (RPL-8). */
      readonly batch: { readonly hasMore: boolean | null } | null;
    }
  | ({ readonly kind: 'drop' } & Skipped);

const BATCH_TYPE = 'EVENT_TYPE_EVENT_BATCH';

function decodeEvent(frame: unknown): ServerEvent | Skipped {
  if (!isFields(frame)) return { reason: 'not_object', id: '', sequence: null };
  const givenId = readString(frame, 'id');
  const id = givenId ?? '';
  const readSequence = readInteger(frame, 'sequence') ?? -1;
  const sequence = readSequence < 0 ? null : readSequence;
  const timestamp = readString(frame, 'timestamp');
  const wireType = readString(frame, 'type');
  const skip = (reason: DropReason): Skipped => ({ reason, id, sequence });

  if (!wireType) return skip('missing_type');
  const type = toNeutralSpelling(wireType);
  const fields = findPayload(frame, type);
  if (type === BATCH_TYPE) return skip('nested_batch');
  // A survey has a question. TBD-1 requires that other events of these types are left out.
  if (NOT_YET_SENT.has(type) && !fields['question']) return skip('not_yet_sent');
  if (!isServerEventType(type)) return skip('unknown_type');
  if (type !== 'EVENT_TYPE_HEARTBEAT') {
    if (givenId === null) return skip('missing_id');
    if (timestamp === null) return skip('missing_timestamp');
  }
  const timestampMs = readTimestampMs(timestamp ?? '');
  const payload = decodePayload(type, fields);
  // The payload was decoded for this type; TypeScript cannot express that pairing in the union.
  return { type, id, sequence, timestampMs, custom: readCustom(frame), payload } as ServerEvent;
}

const isSkipped = (result: ServerEvent | Skipped): result is Skipped => 'reason' in result;

const drop = (reason: DropReason, id = ''): DecodedFrame => ({ kind: 'drop', reason, id, sequence: null });

function decodeBatch(frame: Fields, id: string): DecodedFrame {
  const payload = findPayload(frame, BATCH_TYPE);
  const { events, has_more: hasMore } = payload;
  if (!Array.isArray(events)) return drop('malformed_batch', id);
  const results = events.map(decodeEvent);
  return {
    kind: 'events',
    events: results
      .filter((result): result is ServerEvent => !isSkipped(result))
      // Infinity - Infinity is NaN, and NaN || 0 keeps the order of transient events.
      .sort((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity) || 0),
    skipped: results.filter(isSkipped),
    batch: {
      hasMore: typeof hasMore === 'boolean' ? hasMore : null,
    },
  };
}

/**
 * Decodes the text of one frame from the platform into neutral events. Never throws: events that cannot be read are
 * dropped, with a reason. Source: messaging.md 5 and 7, RPL-6, RPL-7.
 *
 * @example
 * const decoded = decodeServerFrame('{"type":"EVENT_TYPE_HEARTBEAT"}');
 * // { kind: 'events', events: [{ type: 'EVENT_TYPE_HEARTBEAT', id: '', … }], skipped: [], batch: null }
 */
export function decodeServerFrame(text: string): DecodedFrame {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    // Dropped with a reason, like all frames that cannot be read.
    return drop('invalid_json');
  }
  const result = decodeEvent(frame);
  if (!isSkipped(result)) return { kind: 'events', events: [result], skipped: [], batch: null };
  // decodeEvent() refuses batches, because inside a batch they would be nested. This one is at the top level.
  return isFields(frame) && result.reason === 'nested_batch'
    ? decodeBatch(frame, result.id)
    : { kind: 'drop', ...result };
}
