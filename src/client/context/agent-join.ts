import {
  type ClientEvent,
  type CustomMap,
  EXTENSIONS,
  EXTENSIONS_KEY,
  LIMITS,
} from '../../protocol/index.ts';
import type { ChatClientOptions, CurrentSession } from '../chat-client.ts';
import type { ConversationConnection } from '../connection/conversation-connection.ts';
import { isOver } from '../conversation/conversation-state.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import { needsAgent } from '../conversation/recovery.ts';
import type { ClockPort } from '../ports.ts';
import { prepareJoin } from './prepare-join.ts';

export interface AgentJoinOptions {
  readonly chat: ChatClientOptions;
  readonly clock: ClockPort;
  readonly store: ConversationStore;
  readonly connection: Pick<ConversationConnection, 'write'>;
  readonly currentSession: () => CurrentSession;
}

/** Requests the agent after the page has provided its metadata. Source: JOIN-2. */
export interface AgentJoin {
  request(event: ClientEvent): Promise<void>;
  /** Another session begins, so the page is called again. */
  reset(): void;
}

export function createAgentJoin({
  chat,
  clock,
  store,
  connection,
  currentSession,
}: AgentJoinOptions): AgentJoin {
  /** Undefined before the page was called for this session. */
  let preparing: Promise<CustomMap | undefined> | undefined;
  return {
    async request(event) {
      const { connectionCount, transcript } = store.conversation;
      if (!transcript.hasAgentJoined) preparing ??= prepareJoin(chat, currentSession(), clock);
      const pageMetadata = (await preparing) ?? null;
      const custom = nameExtensions(pageMetadata, transcript.capabilities.extensions);
      const { conversation } = store;
      // A newer socket makes its own request.
      if (
        conversation.connectionCount === connectionCount &&
        needsAgent(conversation) &&
        !isOver(conversation)
      )
        connection.write({ ...event, custom });
    },
    reset() {
      preparing = undefined;
    },
  };
}

/** Adds the extensions supported by both ends, unless the page's metadata leaves no room. Source: EXT-1, MET-2. */
function nameExtensions(custom: CustomMap | null, offered: readonly string[] = []): CustomMap | null {
  const names = EXTENSIONS.filter((name) => offered.includes(name));
  const hasRoom = Object.keys(custom ?? {}).length < LIMITS.maxCustomKeys;
  return names.length > 0 && hasRoom ? { ...custom, [EXTENSIONS_KEY]: names.join(',') } : custom;
}
