import { maxClientFrameBytes } from './limits.ts';
import {
  type Fields,
  readFields,
  readFlag,
  readInteger,
  readObjects,
  readString,
  readStrings,
  readUrl,
} from './read-field.ts';
import type {
  ResponseSuggestion,
  ServerEventType,
  ServerPayloads,
  WireAttachment,
  WireCallAction,
} from './server-events.ts';

type Reader<Value> = (fields: Fields, key: string) => Value;
/** One reader per key of an object. */
type Schema<Shape> = { readonly [Key in keyof Shape]-?: Reader<Shape[Key]> };

/** Assigns key by key, because `Object.fromEntries` would double the cost of decoding a long history. */
function readAll<Shape>(schema: Schema<Shape>, fields: Fields): Shape {
  const shape: Partial<Shape> = {};
  for (const key of Object.keys(schema) as (keyof Shape & string)[]) shape[key] = schema[key](fields, key);
  // The type of the schema guarantees one reader of the right type per key.
  return shape as Shape;
}

const readText: Reader<string> = (fields, key) => readString(fields, key) ?? '';

/** Reads a key, else `otherKey`, which is a field of the object `parent` if given. */
const or =
  <Value>(read: Reader<Value | null>, otherKey: string, parent?: string): Reader<Value | null> =>
  (fields, key) =>
    read(fields, key) ?? read(parent ? readFields(fields, parent) : fields, otherKey);

/** Reads one of some literals; any other value becomes the first of them. */
const oneOf =
  <Value extends string>(usual: Value, ...others: readonly Value[]): Reader<Value> =>
  (fields, key) =>
    others.find((other) => other === fields[key]) ?? usual;

const listOf =
  <Item>(schema: Schema<Item>): Reader<readonly Item[]> =>
  (fields, key) =>
    readObjects(fields, key).map((item) => readAll(schema, item));

const attachment: Schema<WireAttachment> = {
  content_type: oneOf(
    'ATTACHMENT_CONTENT_TYPE_UNKNOWN',
    'ATTACHMENT_CONTENT_TYPE_URL',
    'ATTACHMENT_CONTENT_TYPE_IMAGE',
  ),
  content_url: readUrl,
  title: readString,
  preview_image_url: readUrl,
  call_to_action_text: readString,
};
const suggestion: Schema<ResponseSuggestion> = { message_text: readText, payload: readString };
const callAction: Schema<WireCallAction> = { title: readText, contact_number: readText };

const userMessage: Schema<ServerPayloads['EVENT_TYPE_USER_MESSAGE']> = {
  message_id: readText,
  text: readText,
};
const content = {
  ...userMessage,
  attachments: listOf(attachment),
  response_suggestions: listOf(suggestion),
  chat_call_actions: listOf(callAction),
};
const typing = { state: oneOf('TYPING_STATE_STARTED', 'TYPING_STATE_STOPPED') };
const reason: Schema<ServerPayloads['EVENT_TYPE_SESSION_END']> = { reason: readString };
const readOptional = (fields: Fields, key: string): string | undefined =>
  readString(fields, key) ?? undefined;
const queue = { queue_name: readString };
const person = { agent_id: readString, agent_name: readString };

const capabilities: Schema<ServerPayloads['EVENT_TYPE_SESSION_START']['capabilities']> = {
  streaming: readFlag,
  max_message_size_bytes: (fields, key) => readInteger(fields, key) ?? maxClientFrameBytes,
  max_reconnect_attempts: readInteger,
  heartbeat_interval_seconds: readInteger,
  extensions: readStrings,
};

const payloads: { readonly [Type in ServerEventType]: Schema<ServerPayloads[Type]> } = {
  EVENT_TYPE_SESSION_START: {
    capabilities: (fields, key) => readAll(capabilities, readFields(fields, key)),
    context_id: readString,
  },
  EVENT_TYPE_SESSION_END: reason,
  EVENT_TYPE_SYSTEM_MESSAGE: {
    level: oneOf('SYSTEM_MESSAGE_LEVEL_INFO', 'SYSTEM_MESSAGE_LEVEL_WARNING', 'SYSTEM_MESSAGE_LEVEL_ERROR'),
    message: readText,
    missing_agent: readOptional,
  },
  EVENT_TYPE_LANGUAGE_CHANGED: { language_code: readString },
  EVENT_TYPE_SESSION_IDLE_WARNING: { seconds_remaining: readInteger },
  EVENT_TYPE_HEARTBEAT: {},
  EVENT_TYPE_REQUEST_AGENT_JOIN: {},
  EVENT_TYPE_USER_END_SESSION: {},
  EVENT_TYPE_USER_MESSAGE: userMessage,
  EVENT_TYPE_USER_TYPING: typing,
  EVENT_TYPE_AGENT_JOINED: { agent_name: readString, agent_avatar_url: or(readUrl, 'avatar_url') },
  EVENT_TYPE_AGENT_THINKING: {},
  EVENT_TYPE_AGENT_MESSAGE: {
    ...content,
    agent_name: readString,
    avatar_url: or(readUrl, 'agent_avatar_url'),
    end_conversation: readFlag,
  },
  EVENT_TYPE_AGENT_MESSAGE_CHUNK: {
    ...content,
    chunk_index: readInteger,
    is_complete: readFlag,
    end_conversation: readFlag,
  },
  EVENT_TYPE_AGENT_LEFT: reason,
  EVENT_TYPE_AGENT_TRIGGERED_HANDOFF: { desk_hours: readOptional },
  EVENT_TYPE_LIVE_AGENT_JOINED: {
    agent_id: or(readString, 'id', 'agent'),
    agent_name: or(readString, 'name', 'agent'),
    avatar_url: or(readUrl, 'avatar_url', 'agent'),
  },
  EVENT_TYPE_LIVE_AGENT_TYPING: { ...typing, ...person },
  EVENT_TYPE_LIVE_AGENT_MESSAGE: { ...content, ...person, avatar_url: readUrl },
  EVENT_TYPE_LIVE_AGENT_LEFT: { ...person, ...reason, next_name: readOptional },
  EVENT_TYPE_HANDOFF_ACCEPTED: queue,
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: {
    ...queue,
    position_in_queue: or(readInteger, 'position'),
    estimated_wait_seconds: readInteger,
    display_message: readString,
  },
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: { route: readString, ...reason, ...queue },
  EVENT_TYPE_HANDOFF_FAILED: reason,
  EVENT_TYPE_HANDOFF_TIMEOUT: reason,
  EVENT_TYPE_X_FEEDBACK: {
    message_id: readText,
    rating: (fields, key) => (fields[key] === 'up' || fields[key] === 'down' ? fields[key] : null),
    reason: readString,
  },
  EVENT_TYPE_SHOW_CSAT_REQUEST: {
    survey_id: readText,
    title: readText,
    question: readText,
    scale: (fields, key) => (readString(fields, key) === 'stars' ? 'stars' : undefined),
  },
};

/** True for a neutral type that has a canonical payload. */
export function isServerEventType(type: string): type is ServerEventType {
  return Object.hasOwn(payloads, type);
}

/** Decodes the canonical payload of `type`, with all keys and defaults. Source: messaging.md 7. */
export function decodePayload<Type extends ServerEventType>(
  type: Type,
  fields: Fields,
): ServerPayloads[Type] {
  return readAll(payloads[type], fields);
}
