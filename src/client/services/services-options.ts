import type { ReadonlySignal } from '@preact/signals-core';
import type { ChatClientOptions } from '../chat-client.ts';
import type { TranscriptItem } from '../chat-state.ts';
import type { ClientPorts } from '../ports.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';

/** The client's interface for the services. */
export interface ServicesOptions {
  readonly endpoint: string;
  readonly ports: ClientPorts;
  readonly chat: ChatClientOptions;
  /** The resume ticket as the credentials have it. */
  readonly ticket: () => string;
  /** The conversation stored in this browser. */
  readonly stored: () => Promise<StoredConversation | null>;
  /** The stored composer text; empty for none. */
  readonly typed: () => string;
  /** The transcript as it is now. */
  readonly messages: () => readonly TranscriptItem[];
  /** Empty before there is a session. */
  readonly sessionId: () => string;
  /** Hash of the visitor's user, once known; empty without one. */
  readonly owner: () => Promise<string>;
  /** Whether this tab writes the data shared by all tabs. */
  readonly isLeading: () => boolean;
  /** Incremented by every logout and change of user. */
  readonly visitors: ReadonlySignal<number>;
}
