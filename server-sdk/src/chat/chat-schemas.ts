import * as v from 'valibot';
import { boundedMap, flag, freeMap, oneOf, text } from '../schema/fields.ts';
import { isRecord } from '../schema/is-record.ts';
import { fillAbsent, objectOf, type Schema, tolerant } from '../schema/object-of.ts';

/** Channels a chat can be created for. Source: 3.1. */
export type ChatChannel = 'webchat' | 'whatsapp' | 'sms' | 'api';

/** Body of `chat/create`; all of it is optional. Source: 3.1. */
export interface ChatCreateBody {
  /** Must exist in the project; fixed for the conversation. */
  readonly variant_id?: string | undefined;
  /** What the agent logic sees for the whole conversation; at most 64 KB of JSON. */
  readonly integration_attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly channel?: ChatChannel | undefined;
  /** Language tag of what the user writes. */
  readonly asr_lang_code?: string | undefined;
  /** Language tag of what the agent writes. */
  readonly tts_lang_code?: string | undefined;
}

/** Body of `chat/respond`. Source: 3.2. */
export interface ChatRespondBody {
  readonly conversation_id: string;
  /** Left out or empty, the agent takes a turn without input. At most 131072 bytes of UTF-8. */
  readonly message?: string | undefined;
  /** Goes with this turn only. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly asr_lang_code?: string | undefined;
  readonly tts_lang_code?: string | undefined;
}

/** Body of `chat/close`. Source: 3.3. */
export interface ChatCloseBody {
  readonly conversation_id: string;
}

/** Answer of `chat/create`. */
export interface ChatCreated {
  readonly conversation_id: string;
  /** The agent's first text, possibly empty. */
  readonly response: string;
}

/** Where a conversation was handed to, and why. */
export interface ChatHandoff {
  readonly destination: string;
  readonly reason: string;
}

/** Answer of `chat/respond`. */
export interface ChatReply {
  readonly conversation_id: string;
  readonly response: string;
  /** True: nothing more can be sent. */
  readonly end_conversation: boolean;
  /** There only when a handoff occurred. */
  readonly handoff?: ChatHandoff | undefined;
}

/** Answer of `chat/close`. */
export interface ChatClosed {
  readonly success: boolean;
}

/** Largest message. Source: 3.2. */
export const CHAT_MESSAGE_MAX_BYTES = 131_072;
/** Largest set of attributes, as JSON. Source: 3.1. */
export const ATTRIBUTES_MAX_BYTES = 65_536;

const conversationId = v.pipe(
  v.string('must be a string'),
  v.nonEmpty('must be a non-empty string'),
  v.maxLength(128, 'must be at most 128 characters'),
  v.description('Conversation id, opaque.'),
);
const languages = {
  asr_lang_code: v.optional(text('Language tag of what the user writes, such as `en-US`.')),
  tts_lang_code: v.optional(text('Language tag of what the agent writes, such as `en-US`.')),
};

/** Schema of the body of `chat/create`. */
export const chatCreateBodySchema: Schema<ChatCreateBody> = objectOf(
  'ChatCreateBody',
  'A new conversation.',
  {
    variant_id: v.optional(text('Variant of the project; fixed for the conversation.')),
    integration_attributes: v.optional(
      boundedMap('Free map that the agent logic sees for the whole conversation.', ATTRIBUTES_MAX_BYTES),
    ),
    channel: v.optional(oneOf('Where the user writes.', ['webchat', 'whatsapp', 'sms', 'api'])),
    ...languages,
  },
);

/** Schema of the body of `chat/respond`; `integration_attributes` is accepted and ignored. Source: 3.2. */
export const chatRespondBodySchema: Schema<ChatRespondBody> = objectOf(
  'ChatRespondBody',
  'What the user says.',
  {
    conversation_id: conversationId,
    message: v.optional(
      v.pipe(
        v.string('must be a string'),
        v.maxBytes(CHAT_MESSAGE_MAX_BYTES, `must be at most ${CHAT_MESSAGE_MAX_BYTES} bytes of UTF-8`),
        v.description('The message; left out or empty, the agent takes a turn without input.'),
      ),
    ),
    metadata: v.optional(freeMap('Free map for this turn.')),
    ...languages,
    variant_id: v.optional(v.never('is only accepted on create')),
  },
);

/** Schema of the body of `chat/close`. */
export const chatCloseBodySchema: Schema<ChatCloseBody> = objectOf(
  'ChatCloseBody',
  'The conversation to close.',
  {
    conversation_id: conversationId,
  },
);

/** Schema of the answer of `chat/create`. */
export const chatCreatedSchema: Schema<ChatCreated> = objectOf(
  'ChatCreated',
  'The conversation that was created.',
  {
    conversation_id: conversationId,
    response: text("The agent's first text, possibly empty."),
  },
);

/** Schema of the answer of `chat/respond`. */
export const chatReplySchema: Schema<ChatReply> = objectOf('ChatReply', "The agent's turn.", {
  conversation_id: conversationId,
  response: text("The agent's text, possibly empty."),
  end_conversation: flag('Whether the conversation is over.'),
  handoff: v.optional(
    objectOf('ChatHandoff', 'There only when a handoff occurred.', {
      destination: text('Where the conversation was handed to.'),
      reason: text('Why.'),
    }),
  ),
});

/** Schema of the answer of `chat/close`. */
export const chatClosedSchema: Schema<ChatClosed> = objectOf('ChatClosed', 'The conversation is closed.', {
  success: flag('Always true.'),
});

/** Reads the answer of `chat/create`, also one without a text. */
export const chatCreatedReader: Schema<ChatCreated> = tolerant(chatCreatedSchema, (raw) =>
  fillAbsent(raw, { response: '' }),
);

/** Reads the answer of `chat/respond`, also one without a text or with half a handoff. */
export const chatReplyReader: Schema<ChatReply> = tolerant(chatReplySchema, (raw) => {
  if (!isRecord(raw)) return raw;
  const { handoff, ...rest } = raw;
  const hasHandoff = isRecord(handoff);
  const filled = fillAbsent(rest, { response: '', end_conversation: hasHandoff });
  return isRecord(filled) && hasHandoff
    ? { ...filled, handoff: fillAbsent(handoff, { destination: '', reason: '' }) }
    : filled;
});
