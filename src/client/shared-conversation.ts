import type { ChatClient, ChatClientOptions } from './chat-client.ts';
import type { ConversationInput } from './conversation/conversation-state.ts';
import type { ClientPorts } from './ports.ts';
import type { ChatStore } from './store/create-chat-store.ts';
import type { Ask } from './tabs/mirrored.ts';

export interface SharedConversationOptions {
  readonly chat: ChatClientOptions;
  readonly endpoint: string;
  readonly ports: ClientPorts;
}

/** A conversation that all tabs of a browser share, as this tab has it. */
export interface SharedConversation {
  readonly store: ChatStore;
  /** Nothing can be said any more: it has ended, or this client was destroyed. */
  isOver(): boolean;
  /** What the visitor says here: shown at once, whichever tab carries it out. */
  ask(input: ConversationInput): void;
  /** What the visitor wants done; lost while no tab has the socket. */
  order(ask: Ask): void;
  /** What a client does with it as a whole. */
  readonly whole: Pick<
    ChatClient,
    | 'start'
    | 'hasStoredConversation'
    | 'endChat'
    | 'logout'
    | 'currentSession'
    | 'claim'
    | 'diagnose'
    | 'destroy'
  >;
}
