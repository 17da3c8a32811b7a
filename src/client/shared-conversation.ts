import type { ChatClientOptions } from './chat-client.ts';
import type { ChatLifecycle } from './chat-lifecycle.ts';
import type { ClientPorts } from './ports.ts';
import type { ChatStore } from './store/create-chat-store.ts';
import type { TabCoordinator } from './tabs/tab-coordinator.ts';

export interface SharedConversationOptions {
  readonly chat: ChatClientOptions;
  readonly endpoint: string;
  readonly ports: ClientPorts;
}

/** A conversation that all tabs of a browser share, as this tab has it. */
export interface SharedConversation extends Pick<TabCoordinator, 'dispatch' | 'notify'> {
  readonly store: ChatStore;
  /** True once nothing more may be said: the conversation has ended, or this client was destroyed. */
  isOver(): boolean;
  readonly lifecycle: ChatLifecycle['methods'];
}
