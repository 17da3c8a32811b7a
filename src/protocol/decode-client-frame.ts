import type { ClientEvent, OptionalClientEvent } from './client-events.ts';
import { EXTENSION_OF, EXTENSION_PREFIX } from './extensions.ts';
import { findPayload } from './find-payload.ts';
import * as LIMITS from './limits.ts';
import { type Fields, isFields, readCustom, readInteger, readString } from './read-field.ts';
import type { CustomMap } from './server-events.ts';
import * as SYSTEM_TEXTS from './system-texts.ts';
import { utf8Length } from './utf8-length.ts';
import { CLIENT_EVENT_TYPES, toNeutralType, type Vocabulary, vocabularyOfType } from './vocabulary.ts';

/** Result of decoding one frame, before the checks of session state and rate limits. */
export type DecodedClientFrame =
  | {
      readonly kind: 'accept';
      readonly event: ClientEvent;
      /** Vocabulary of the sender; `null` for a type that is the same in both (V-5). */
      readonly sentVocabulary: Vocabulary | null;
    }
  /** Answer with a transient SYSTEM_MESSAGE at ERROR level; the socket stays open. */
  | { readonly kind: 'error'; readonly text: string; readonly custom: CustomMap | null }
  | { readonly kind: 'close'; readonly code: 1009 };

/** Sizes of one frame in UTF-8 bytes. */
export interface FrameLimits {
  readonly maxFrameBytes: number;
  readonly hardMaxFrameBytes: number;
}

const DEFAULT_LIMITS: FrameLimits = {
  maxFrameBytes: LIMITS.maxClientFrameBytes,
  hardMaxFrameBytes: LIMITS.hardMaxFrameBytes,
};

/** Returns the custom map of a frame; undefined if it breaks a limit of MET-2. */
function checkCustom(frame: Fields): CustomMap | null | undefined {
  const metadata = frame['metadata'] ?? null;
  if (metadata === null) return null;
  if (!isFields(metadata)) return undefined;
  const custom = metadata['custom'] ?? null;
  if (custom === null) return null;
  if (!isFields(custom)) return undefined;
  const entries = Object.entries(custom);
  const isWithinLimits =
    entries.length <= LIMITS.maxCustomKeys &&
    entries.every(
      ([key, value]) =>
        typeof value === 'string' &&
        utf8Length(key) <= LIMITS.maxCustomKeyBytes &&
        utf8Length(value) <= LIMITS.maxCustomValueBytes,
    );
  return isWithinLimits ? readCustom(frame) : undefined;
}

/** Returns the custom map of a frame that is refused unread; `null` if none can be read. */
function findCustom(frame: string): CustomMap | null {
  try {
    const fields: unknown = JSON.parse(frame);
    return isFields(fields) ? (checkCustom(fields) ?? null) : null;
  } catch {
    // The sender gets a refusal without a custom map, as for any frame that is not JSON.
    return null;
  }
}

const isRating = (value: unknown): value is 'up' | 'down' | null =>
  value === null || value === 'up' || value === 'down';

/** True for `null`, and for a text of at most 1,000 characters, however many units of UTF-16 those are. Source: EXT-3. */
const isReason = (value: unknown): value is string | null =>
  value === null ||
  (typeof value === 'string' &&
    value.length <= 2 * LIMITS.maxFeedbackReasonCharacters &&
    [...value].length <= LIMITS.maxFeedbackReasonCharacters);

/** Returns the event with its known payload fields only; `null` if the payload is invalid for the type. */
function toClientEvent(type: string, payload: Fields, custom: CustomMap | null): ClientEvent | null {
  switch (type) {
    case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
    case 'EVENT_TYPE_USER_END_SESSION':
    case 'EVENT_TYPE_HEARTBEAT':
    case 'EVENT_TYPE_X_CANCEL_HANDOFF':
      return { type, payload: {}, custom };
    case 'EVENT_TYPE_USER_MESSAGE': {
      const text = readString(payload, 'text');
      return text !== null && text.trim() !== '' ? { type, payload: { text }, custom } : null;
    }
    case 'EVENT_TYPE_USER_TYPING': {
      const state = readString(payload, 'state');
      return state === 'TYPING_STATE_STARTED' || state === 'TYPING_STATE_STOPPED'
        ? { type, payload: { state }, custom }
        : null;
    }
    case 'EVENT_TYPE_USER_RECEIVED_MESSAGE':
    case 'EVENT_TYPE_USER_READ_MESSAGE':
    case 'EVENT_TYPE_X_STOP_RESPONSE': {
      const message_id = readString(payload, 'message_id');
      return message_id ? { type, payload: { message_id }, custom } : null;
    }
    case 'EVENT_TYPE_X_FEEDBACK': {
      const message_id = readString(payload, 'message_id');
      const { rating } = payload;
      const reason = payload['reason'] ?? null;
      return message_id && isRating(rating) && isReason(reason)
        ? { type, payload: { message_id, rating, reason }, custom }
        : null;
    }
    case 'EVENT_TYPE_CSAT_RESPONSE': {
      const survey_id = readString(payload, 'survey_id');
      const skipped = payload['skipped'] === true;
      const score = payload['score'] ?? null;
      const isScore = score === readInteger(payload, 'score') && Number(score) >= 1 && Number(score) <= 5;
      // Either a score or skipped, never both.
      return survey_id && (skipped ? score === null : isScore)
        ? { type, payload: { survey_id, score: skipped ? null : Number(score), skipped }, custom }
        : null;
    }
    default:
      return null;
  }
}

/** Why a frame was refused. For logs, because the text on the wire is the same for most reasons. */
export type FrameFault =
  | 'binary'
  | 'too large'
  | 'no JSON'
  | 'no object'
  | 'no type'
  | 'unknown type'
  | 'type not allowed'
  | 'bad metadata'
  | 'payload is not an object'
  | 'blank text'
  | 'bad payload';

/** A decoded frame, and its fault when it was refused. */
interface CheckedFrame {
  readonly decoded: DecodedClientFrame;
  readonly fault: FrameFault | null;
}

/**
 * Checks one frame from a client in the contract's order (rows 1 to 7 of messaging.md 5.6). Returns the event, or the
 * refusal with its exact text. `frame` is `null` for a binary frame. `byteLength` is its size on the wire. `optional` lists
 * event types that the connector enables. Events of known extensions are accepted: the session decides whether its client
 * has named the extension (EXT-1).
 */
export function decodeClientFrame(
  frame: string | null,
  byteLength: number = frame === null ? 0 : utf8Length(frame),
  limits: FrameLimits = DEFAULT_LIMITS,
  optional: readonly OptionalClientEvent['type'][] = [],
): DecodedClientFrame {
  return checkFrame(frame, byteLength, limits, optional).decoded;
}

/** Returns why {@link decodeClientFrame} refuses a frame; `null` if it accepts the frame. Same arguments. */
export function findFrameFault(
  frame: string | null,
  byteLength: number = frame === null ? 0 : utf8Length(frame),
  limits: FrameLimits = DEFAULT_LIMITS,
  optional: readonly OptionalClientEvent['type'][] = [],
): FrameFault | null {
  return checkFrame(frame, byteLength, limits, optional).fault;
}

function checkFrame(
  frame: string | null,
  byteLength: number,
  limits: FrameLimits,
  optional: readonly OptionalClientEvent['type'][],
): CheckedFrame {
  const refuse = (fault: FrameFault, text: string, custom: CustomMap | null = null): CheckedFrame => ({
    decoded: { kind: 'error', text, custom },
    fault,
  });
  if (byteLength > limits.hardMaxFrameBytes)
    return { decoded: { kind: 'close', code: 1009 }, fault: 'too large' };
  if (frame === null) return refuse('binary', SYSTEM_TEXTS.invalidFrame);
  if (limits.maxFrameBytes > 0 && byteLength > limits.maxFrameBytes)
    return refuse('too large', SYSTEM_TEXTS.tooLarge, findCustom(frame));

  let fields: unknown;
  try {
    fields = JSON.parse(frame);
  } catch {
    // The sender gets a refusal without a custom map, because none can be read.
    return refuse('no JSON', SYSTEM_TEXTS.invalidFrame);
  }
  if (!isFields(fields)) return refuse('no object', SYSTEM_TEXTS.invalidFrame);

  const custom = checkCustom(fields);
  const wireType = readString(fields, 'type');
  const type = wireType?.startsWith(EXTENSION_PREFIX) ? wireType : toNeutralType(wireType ?? '');
  if (!wireType || type === null)
    return refuse(wireType ? 'unknown type' : 'no type', SYSTEM_TEXTS.invalidFrame, custom ?? null);
  const isAllowed =
    CLIENT_EVENT_TYPES.has(type) ||
    optional.some((name) => name === type) ||
    Object.hasOwn(EXTENSION_OF, type);
  if (!isAllowed) return refuse('type not allowed', SYSTEM_TEXTS.notAllowed(wireType), custom ?? null);

  const payload = fields['payload'] ?? findPayload(fields, type);
  if (custom === undefined) return refuse('bad metadata', SYSTEM_TEXTS.invalidFrame);
  if (!isFields(payload)) return refuse('payload is not an object', SYSTEM_TEXTS.invalidFrame, custom);
  const event = toClientEvent(type, payload, custom);
  if (event)
    return {
      decoded: { kind: 'accept', event, sentVocabulary: vocabularyOfType(wireType) },
      fault: null,
    };
  const isBlank = type === 'EVENT_TYPE_USER_MESSAGE' && typeof payload['text'] === 'string';
  return refuse(isBlank ? 'blank text' : 'bad payload', SYSTEM_TEXTS.invalidFrame, custom);
}
