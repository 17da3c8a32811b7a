import type { Conversation } from '../conversation/conversation-state.ts';

/**
 * Returns a conversation as text, as `unpackPast` reads it, and as the next page begins: without a connection. Drafts are
 * stored beside it, and the composer's text nowhere.
 */
export const packConversation = (conversation: Conversation): string =>
  JSON.stringify(
    {
      ...conversation,
      connection: { status: 'idle' },
      liveAtMs: Infinity,
      isLive: false,
      connectionCount: 0,
      outbox: [],
    },
    (_, value: unknown) =>
      value === Infinity ? { isNever: true } : value instanceof Map ? { map: [...value] } : value,
  );
