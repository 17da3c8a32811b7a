import type { ReadonlySignal } from '@preact/signals-core';
import type { ChatClientOptions } from '../chat-client.ts';
import type { TranscriptItem } from '../chat-state.ts';
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
  /** The words in the composer, as far as they are stored; empty for none. */
  readonly typed: () => string;
  /** The transcript as it is now. */
  readonly messages: () => readonly TranscriptItem[];
  /** Empty before there is a session. */
  readonly sessionId: () => string;
  /** Hash of the visitor's user, as soon as it is known; empty without one. */
  readonly owner: () => Promise<string>;
  /** This tab writes what all tabs of the browser have in common. */
  readonly isLeading: () => boolean;
  /** Counts logouts and changes of the user. */
  readonly visitors: ReadonlySignal<number>;
}
