import { LIMITS } from './limits.ts';
import {
  type Fields,
  readFields,
  readFlag,
  readInteger,
  readObjects,
  readString,
  readUrl,
} from './read-field.ts';
import type {
  ResponseSuggestion,
  ServerEventType,
  ServerPayloads,
  SystemMessageLevel,
  TypingState,
  WireAttachment,
  WireCallAction,
} from './server-events.ts';

type PayloadDecoders = { readonly [Type in ServerEventType]: (fields: Fields) => ServerPayloads[Type] };

const empty = (): Readonly<Record<string, never>> => ({});

const readReason = (fields: Fields): { readonly reason: string | null } => ({
  reason: readString(fields, 'reason'),
});

const readTypingState = (fields: Fields): TypingState =>
  readString(fields, 'state') === 'TYPING_STATE_STOPPED' ? 'TYPING_STATE_STOPPED' : 'TYPING_STATE_STARTED';

function readLevel(fields: Fields): SystemMessageLevel {
  const level = readString(fields, 'level');
  return level === 'SYSTEM_MESSAGE_LEVEL_ERROR' || level === 'SYSTEM_MESSAGE_LEVEL_WARNING'
    ? level
    : 'SYSTEM_MESSAGE_LEVEL_INFO';
}

function readAttachment(fields: Fields): WireAttachment {
  const contentType = readString(fields, 'content_type');
  return {
    content_type:
      contentType === 'ATTACHMENT_CONTENT_TYPE_URL' || contentType === 'ATTACHMENT_CONTENT_TYPE_IMAGE'
        ? contentType
        : 'ATTACHMENT_CONTENT_TYPE_UNKNOWN',
    content_url: readUrl(fields, 'content_url'),
    title: readString(fields, 'title'),
    preview_image_url: readUrl(fields, 'preview_image_url'),
    call_to_action_text: readString(fields, 'call_to_action_text'),
  };
}

const readSuggestion = (fields: Fields): ResponseSuggestion => ({
  message_text: readString(fields, 'message_text') ?? '',
  payload: readString(fields, 'payload'),
});

const readCallAction = (fields: Fields): WireCallAction => ({
  title: readString(fields, 'title') ?? '',
  contact_number: readString(fields, 'contact_number') ?? '',
});

const readContent = (
  fields: Fields,
): Pick<
  ServerPayloads['EVENT_TYPE_AGENT_MESSAGE'],
  'message_id' | 'text' | 'attachments' | 'response_suggestions' | 'chat_call_actions'
> => ({
  message_id: readString(fields, 'message_id') ?? '',
  text: readString(fields, 'text') ?? '',
  attachments: readObjects(fields, 'attachments').map(readAttachment),
  response_suggestions: readObjects(fields, 'response_suggestions').map(readSuggestion),
  chat_call_actions: readObjects(fields, 'chat_call_actions').map(readCallAction),
});

const payloadDecoders: PayloadDecoders = {
  EVENT_TYPE_SESSION_START: (fields) => {
    const capabilities = readFields(fields, 'capabilities');
    return {
      capabilities: {
        streaming: readFlag(capabilities, 'streaming'),
        max_message_size_bytes:
          readInteger(capabilities, 'max_message_size_bytes') ?? LIMITS.maxClientFrameBytes,
        max_reconnect_attempts: readInteger(capabilities, 'max_reconnect_attempts'),
        heartbeat_interval_seconds: readInteger(capabilities, 'heartbeat_interval_seconds'),
      },
      context_id: readString(fields, 'context_id'),
    };
  },
  EVENT_TYPE_SESSION_END: readReason,
  EVENT_TYPE_SYSTEM_MESSAGE: (fields) => ({
    level: readLevel(fields),
    message: readString(fields, 'message') ?? '',
  }),
  EVENT_TYPE_LANGUAGE_CHANGED: (fields) => ({ language_code: readString(fields, 'language_code') }),
  EVENT_TYPE_SESSION_IDLE_WARNING: (fields) => ({
    seconds_remaining: readInteger(fields, 'seconds_remaining'),
  }),
  EVENT_TYPE_HEARTBEAT: empty,
  EVENT_TYPE_REQUEST_AGENT_JOIN: empty,
  EVENT_TYPE_USER_END_SESSION: empty,
  EVENT_TYPE_USER_MESSAGE: (fields) => ({
    message_id: readString(fields, 'message_id') ?? '',
    text: readString(fields, 'text') ?? '',
  }),
  EVENT_TYPE_USER_TYPING: (fields) => ({ state: readTypingState(fields) }),
  EVENT_TYPE_AGENT_JOINED: (fields) => ({
    agent_name: readString(fields, 'agent_name'),
    agent_avatar_url: readUrl(fields, 'agent_avatar_url') ?? readUrl(fields, 'avatar_url'),
  }),
  EVENT_TYPE_AGENT_THINKING: empty,
  EVENT_TYPE_AGENT_MESSAGE: (fields) => ({
    ...readContent(fields),
    agent_name: readString(fields, 'agent_name'),
    avatar_url: readUrl(fields, 'avatar_url') ?? readUrl(fields, 'agent_avatar_url'),
    end_conversation: readFlag(fields, 'end_conversation'),
  }),
  EVENT_TYPE_AGENT_MESSAGE_CHUNK: (fields) => ({
    ...readContent(fields),
    chunk_index: readInteger(fields, 'chunk_index'),
    is_complete: readFlag(fields, 'is_complete'),
    end_conversation: readFlag(fields, 'end_conversation'),
  }),
  EVENT_TYPE_AGENT_LEFT: readReason,
  EVENT_TYPE_AGENT_TRIGGERED_HANDOFF: empty,
  EVENT_TYPE_LIVE_AGENT_JOINED: (fields) => {
    const agent = readFields(fields, 'agent');
    return {
      agent_id: readString(fields, 'agent_id') ?? readString(agent, 'id'),
      agent_name: readString(fields, 'agent_name') ?? readString(agent, 'name'),
      avatar_url: readUrl(fields, 'avatar_url') ?? readUrl(agent, 'avatar_url'),
    };
  },
  EVENT_TYPE_LIVE_AGENT_TYPING: (fields) => ({
    state: readTypingState(fields),
    agent_id: readString(fields, 'agent_id'),
    agent_name: readString(fields, 'agent_name'),
  }),
  EVENT_TYPE_LIVE_AGENT_MESSAGE: (fields) => ({
    ...readContent(fields),
    agent_id: readString(fields, 'agent_id'),
    agent_name: readString(fields, 'agent_name'),
    avatar_url: readUrl(fields, 'avatar_url'),
  }),
  EVENT_TYPE_LIVE_AGENT_LEFT: (fields) => ({
    agent_id: readString(fields, 'agent_id'),
    agent_name: readString(fields, 'agent_name'),
    reason: readString(fields, 'reason'),
  }),
  EVENT_TYPE_HANDOFF_ACCEPTED: (fields) => ({ queue_name: readString(fields, 'queue_name') }),
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: (fields) => ({
    queue_name: readString(fields, 'queue_name'),
    position_in_queue: readInteger(fields, 'position_in_queue') ?? readInteger(fields, 'position'),
    estimated_wait_seconds: readInteger(fields, 'estimated_wait_seconds'),
    display_message: readString(fields, 'display_message'),
  }),
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: (fields) => ({
    route: readString(fields, 'route'),
    reason: readString(fields, 'reason'),
    queue_name: readString(fields, 'queue_name'),
  }),
  EVENT_TYPE_HANDOFF_FAILED: readReason,
  EVENT_TYPE_HANDOFF_TIMEOUT: readReason,
};

/** True for a neutral type that has a canonical payload. */
export function isServerEventType(type: string): type is ServerEventType {
  return Object.hasOwn(payloadDecoders, type);
}

/** The canonical payload of `type`: every key present, defaults filled in. Source: messaging.md 7. */
export function decodePayload<Type extends ServerEventType>(
  type: Type,
  fields: Fields,
): ServerPayloads[Type] {
  return payloadDecoders[type](fields);
}
