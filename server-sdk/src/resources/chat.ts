import * as v from 'valibot';
import type { IdempotentCall, ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, read } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { boundedMap, flag, freeMap, oneOf, text } from '../schema/fields.ts';
import { isRecord } from '../schema/is-record.ts';
import { type Fields, objectOf, type Schema } from '../schema/object-of.ts';
import { projectPathParameters } from '../schema/path-ids.ts';
import { orElse, readerOf, repaired } from '../schema/reader-of.ts';

/** Channels a chat can be created for. Source: 3.1. */
export type ChatChannel = 'webchat' | 'whatsapp' | 'sms' | 'api';

/** Largest message. Source: 3.2. */
export const CHAT_MESSAGE_MAX_BYTES = 131_072;
/** Largest set of attributes, as JSON. Source: 3.1. */
export const ATTRIBUTES_MAX_BYTES = 65_536;

const conversationId: Schema<string> = v.pipe(
  text('Conversation id, opaque.'),
  v.nonEmpty('must be a non-empty string'),
  v.maxLength(128, 'must be at most 128 characters'),
);

const message: Schema<string> = v.pipe(
  text('The message; left out or empty, the agent takes a turn without input.'),
  v.maxBytes(CHAT_MESSAGE_MAX_BYTES, `must be at most ${CHAT_MESSAGE_MAX_BYTES} bytes of UTF-8`),
);

const conversation = { conversation_id: conversationId };

const languages = {
  /** Language tag of the user's text. */
  asr_lang_code: v.optional(text('Language tag of what the user writes, such as `en-US`.')),
  /** Language tag of the agent's text. */
  tts_lang_code: v.optional(text('Language tag of what the agent writes, such as `en-US`.')),
};

const creation = {
  /** Must exist in the project; fixed for the conversation. */
  variant_id: v.optional(text('Variant of the project; fixed for the conversation.')),
  /** Attributes for the agent logic, for the whole conversation; at most 64 KB of JSON. */
  integration_attributes: v.optional(
    boundedMap('Free map that the agent logic sees for the whole conversation.', ATTRIBUTES_MAX_BYTES),
  ),
  channel: v.optional(
    oneOf<ChatChannel>('Channel in which the user writes.', ['webchat', 'whatsapp', 'sms', 'api']),
  ),
};

const said = {
  /** Missing or empty: a turn without input. At most 131072 bytes of UTF-8. */
  message: v.optional(message),
  /** Goes with this turn only. */
  metadata: v.optional(freeMap('Free map for this turn.')),
};

const handoff = {
  destination: orElse('', text('Destination of the hand-off.')),
  reason: orElse('', text('Why.')),
};

const created = {
  /** The agent's first text, possibly empty. */
  response: orElse('', text("The agent's first text, possibly empty.")),
};

/** Body of `chat/create`; all of it is optional. Source: 3.1. */
export interface ChatCreateBody extends Fields<typeof creation>, Fields<typeof languages> {}

/** Body of `chat/respond`. Source: 3.2. */
export interface ChatRespondBody
  extends Fields<typeof conversation>,
    Fields<typeof said>,
    Fields<typeof languages> {}

/** Body of `chat/close`. Source: 3.3. */
export interface ChatCloseBody extends Fields<typeof conversation> {}

/** Answer of `chat/create`. */
export interface ChatCreated extends Fields<typeof conversation>, Fields<typeof created> {}

/** Where a conversation was handed to, and why. */
export interface ChatHandoff extends Fields<typeof handoff> {}

const handoffSchema: Schema<ChatHandoff> = objectOf(
  'ChatHandoff',
  'There only when a handoff occurred.',
  handoff,
);

const reply = {
  response: orElse('', text("The agent's text, possibly empty.")),
  /** True: nothing more can be sent. */
  end_conversation: flag('Whether the conversation is over.'),
  /** There only when a handoff occurred. */
  handoff: v.optional(handoffSchema),
};

const closed = { success: flag('Always true.') };

/** Answer of `chat/respond`. */
export interface ChatReply extends Fields<typeof conversation>, Fields<typeof reply> {}

/** Answer of `chat/close`. */
export interface ChatClosed extends Fields<typeof closed> {}

/** Schema of the body of `chat/create`. */
export const chatCreateBodySchema: Schema<ChatCreateBody> = objectOf(
  'ChatCreateBody',
  'A new conversation.',
  { ...creation, ...languages },
);

/** Schema of the body of `chat/respond`; `integration_attributes` is accepted and ignored. Source: 3.2. */
export const chatRespondBodySchema: Schema<ChatRespondBody> = objectOf(
  'ChatRespondBody',
  "The user's message.",
  {
    ...conversation,
    ...said,
    ...languages,
    variant_id: v.optional(v.never('is only accepted on create')),
  },
);

/** Schema of the body of `chat/close`. */
export const chatCloseBodySchema: Schema<ChatCloseBody> = objectOf(
  'ChatCloseBody',
  'The conversation to close.',
  conversation,
);

/** Schema of the answer of `chat/create`. */
export const chatCreatedSchema: Schema<ChatCreated> = objectOf(
  'ChatCreated',
  'The conversation that was created.',
  { ...conversation, ...created },
);

/** Schema of the answer of `chat/respond`. */
export const chatReplySchema: Schema<ChatReply> = repaired(
  // Some writers leave out that a handoff ends the conversation, or say with null that there was none.
  (raw) => {
    if (!isRecord(raw)) return raw;
    const { handoff: handedTo, ...rest } = raw;
    const hasHandoff = isRecord(handedTo);
    return {
      ...rest,
      end_conversation: rest['end_conversation'] ?? hasHandoff,
      ...(hasHandoff && { handoff: handedTo }),
    };
  },
  objectOf('ChatReply', "The agent's turn.", { ...conversation, ...reply }),
);

/** Schema of the answer of `chat/close`. */
export const chatClosedSchema: Schema<ChatClosed> = objectOf(
  'ChatClosed',
  'The conversation is closed.',
  closed,
);

const shared = {
  family: 'chat',
  service: 'runtime',
  keyHeader: 'X-API-KEY',
  needsConnectorToken: true,
  pathParameters: {
    version: oneOf('All three behave the same.', ['v1', 'v2', 'v3']),
    ...projectPathParameters,
  },
  errorShape: 'E',
  takesIdempotencyKey: true,
} as const;

/** `POST …/chat/create`. Source: 3.1. */
export const chatCreateOperation: Operation = {
  ...shared,
  id: 'chatCreate',
  method: 'POST',
  path: '/{version}/{account_id}/{project_id}/chat/create',
  summary: 'Start a conversation.',
  repeatability: 'when-refused',
  body: { isRequired: false, schema: chatCreateBodySchema },
  success: { status: 200, description: 'The conversation and its first text.', schema: chatCreatedSchema },
  errors: [400, 401, 403, 404, 409, 422, 500],
};

/** `POST …/chat/respond`. Source: 3.2. */
export const chatRespondOperation: Operation = {
  ...shared,
  id: 'chatRespond',
  method: 'POST',
  path: '/{version}/{account_id}/{project_id}/chat/respond',
  summary: "Say something and get the agent's turn.",
  repeatability: 'when-refused',
  body: { isRequired: true, schema: chatRespondBodySchema },
  success: { status: 200, description: "The agent's turn.", schema: chatReplySchema },
  errors: [400, 401, 403, 404, 409, 410, 422, 500],
};

/** `PUT …/chat/close`. Closing an ended conversation is a success too, so it may be repeated. Source: 3.3. */
export const chatCloseOperation: Operation = {
  ...shared,
  id: 'chatClose',
  method: 'PUT',
  path: '/{version}/{account_id}/{project_id}/chat/close',
  summary: 'Close a conversation.',
  repeatability: 'always',
  body: { isRequired: true, schema: chatCloseBodySchema },
  success: { status: 200, description: 'The conversation is closed.', schema: chatClosedSchema },
  errors: [400, 401, 403, 404, 409, 422, 500],
};

/** Turn-based chat. Needs `apiKey` and `connectorToken`. Source: section 3. */
export interface ChatClient {
  /** Starts a conversation. Without an `idempotencyKey` it is sent again only when it was refused with 429. */
  readonly create: (
    body?: ChatCreateBody,
    options?: ProjectCallOptions & IdempotentCall,
  ) => Promise<ChatCreated>;
  /**
   * Says something and waits for the agent's turn. Without an `idempotencyKey` it is sent again only when it was refused
   * with 429: after a timeout the message may have been taken.
   */
  readonly respond: (
    body: ChatRespondBody,
    options?: ProjectCallOptions & IdempotentCall,
  ) => Promise<ChatReply>;
  /** Closes a conversation; also one that is over. */
  readonly close: (body: ChatCloseBody, options?: ProjectCallOptions & IdempotentCall) => Promise<ChatClosed>;
}

// All versions behave the same (section 3); this is the one in the reference's examples.
const path = { version: 'v1' };
const createdReader = readerOf(chatCreatedSchema);
const replyReader = readerOf(chatReplySchema);
const closedReader = readerOf(chatClosedSchema);

/** The chat family's part of the client. */
export function createChatClient(core: ClientCore): ChatClient {
  return {
    create: (body = {}, options = {}) =>
      read(core, chatCreateOperation, createdReader, { path, body }, options),
    respond: (body, options = {}) => read(core, chatRespondOperation, replyReader, { path, body }, options),
    close: (body, options = {}) => read(core, chatCloseOperation, closedReader, { path, body }, options),
  };
}
