import type { ReadonlySignal } from '@preact/signals-core';
import type { ChatClientOptions } from '../chat-client.ts';
import type { ClientPorts } from '../ports.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';

/** What the services of a conversation use of its client. */
export interface ServicesOptions {
  readonly endpoint: string;
  readonly ports: ClientPorts;
  readonly chat: ChatClientOptions;
  /** The resume ticket as the credentials have it. */
  readonly ticket: () => string;
  /** What this browser has stored of the conversation. */
  readonly stored: () => Promise<StoredConversation | null>;
  /** Counts logouts and changes of the user. */
  readonly visitors: ReadonlySignal<number>;
}
