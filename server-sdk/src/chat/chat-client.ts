import type { ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, projectPath, writeBody } from '../http/client-core.ts';
import { readJson } from '../http/read-answer.ts';
import { chatCloseOperation, chatCreateOperation, chatRespondOperation } from './chat-operations.ts';
import {
  type ChatCloseBody,
  type ChatClosed,
  type ChatCreateBody,
  type ChatCreated,
  type ChatReply,
  type ChatRespondBody,
  chatCloseBodySchema,
  chatClosedSchema,
  chatCreateBodySchema,
  chatCreatedReader,
  chatReplyReader,
  chatRespondBodySchema,
} from './chat-schemas.ts';

/** Turn-based chat. Needs `apiKey` and `connectorToken`. Source: section 3. */
export interface ChatClient {
  /** Starts a conversation. Sent again only when it was refused with 429. */
  readonly create: (body?: ChatCreateBody, options?: ProjectCallOptions) => Promise<ChatCreated>;
  /**
   * Says something and waits for the agent's turn. Sent again only when it was refused with 429: after a timeout
   * the message may have been taken.
   */
  readonly respond: (body: ChatRespondBody, options?: ProjectCallOptions) => Promise<ChatReply>;
  /** Closes a conversation; also one that is over. */
  readonly close: (body: ChatCloseBody, options?: ProjectCallOptions) => Promise<ChatClosed>;
}

// All versions behave the same (section 3); this is the one in the reference's examples.
const VERSION = 'v1';

/** The chat family's part of the client. */
export function createChatClient(core: ClientCore): ChatClient {
  const path = (options: ProjectCallOptions): Readonly<Record<string, string>> => ({
    version: VERSION,
    ...projectPath(core, options),
  });
  return {
    create: async (body = {}, options = {}) =>
      readJson(
        core.transport,
        {
          operation: chatCreateOperation,
          pathValues: path(options),
          ...writeBody(chatCreateBodySchema, body),
          options,
        },
        chatCreatedReader,
      ),
    respond: async (body, options = {}) =>
      readJson(
        core.transport,
        {
          operation: chatRespondOperation,
          pathValues: path(options),
          ...writeBody(chatRespondBodySchema, body),
          options,
        },
        chatReplyReader,
      ),
    close: async (body, options = {}) =>
      readJson(
        core.transport,
        {
          operation: chatCloseOperation,
          pathValues: path(options),
          ...writeBody(chatCloseBodySchema, body),
          options,
        },
        chatClosedSchema,
      ),
  };
}
