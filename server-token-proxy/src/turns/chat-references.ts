import * as v from 'valibot';
import type { AdmittedRequest } from '../http/admitted-request.ts';
import { connectorField } from '../http/read-body.ts';
import type { Connector, TokenProxyOptions } from '../options.ts';
import { createResumeCookie, type ResumeCookie } from '../sessions/resume-cookie.ts';
import { createSealedBox, type SealedBox } from '../sessions/sealed-box.ts';
import { refuseEndedChat } from './call-chat.ts';

/** A conversation without a socket, and its connector. */
export interface OpenedChat {
  readonly conversationId: string;
  readonly connectorName: string;
  readonly connector: Connector;
}

/**
 * Fields of a body that identify a conversation without a socket: the given reference, or else the one in this
 * connector's cookie.
 */
export const referenceFields = {
  connector: connectorField,
  chat: v.pipe(v.optional(v.pipe(v.string(), v.minLength(1))), v.description('the one of the last answer')),
};

// rest.md 3.4: the platform's idle time of a conversation.
const LIFETIME_SECONDS = 1_800;

/** Encrypted references to conversations without a socket, in the cookie or with the caller. */
export class ChatReferences {
  /** Stores a reference in the browser, beside the session's ticket. */
  readonly cookie: ResumeCookie;
  readonly #box: SealedBox;
  readonly #connectors: ReadonlyMap<string, Connector>;

  constructor(
    options: Pick<TokenProxyOptions, 'ticketKeys' | 'basePath'>,
    connectors: ReadonlyMap<string, Connector>,
    nowMs: () => number,
  ) {
    this.#box = createSealedBox({ keys: options.ticketKeys, audience: 'natter-chat', nowMs });
    this.cookie = createResumeCookie(`${options.basePath ?? ''}/v1/chat`, LIFETIME_SECONDS);
    this.#connectors = connectors;
  }

  /** Makes a reference for the page at `origin` (null: a caller without one). */
  seal(conversationId: string, connectorName: string, origin: string | null): Promise<string> {
    return this.#box.seal(
      { conversation_id: conversationId, connector: connectorName, origin },
      LIFETIME_SECONDS,
    );
  }

  /** Returns the given conversation, or else the one in this connector's cookie. Throws `CHAT_ENDED`. */
  async open(
    { request, origin }: AdmittedRequest,
    asked: { readonly connector: string; readonly chat?: string | undefined },
  ): Promise<OpenedChat> {
    const isKept = this.cookie.isPossible(request.headers, origin);
    const sealed =
      asked.chat ?? (isKept ? await this.cookie.read(request.headers, origin, asked.connector) : null);
    const payload = sealed === null ? null : await this.#box.open(sealed);
    if (payload === null || payload['origin'] !== origin) throw refuseEndedChat();
    const { conversation_id: conversationId, connector: connectorName } = payload;
    const connector = typeof connectorName === 'string' ? this.#connectors.get(connectorName) : undefined;
    if (typeof connectorName !== 'string' || typeof conversationId !== 'string' || connector === undefined)
      throw refuseEndedChat();
    return { conversationId, connectorName, connector };
  }
}
