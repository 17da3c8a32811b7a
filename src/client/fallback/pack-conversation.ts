import type { Conversation } from '../conversation/conversation-state.ts';

/**
 * Serialises a conversation for `unpackConversation`, as the next page begins with it: without a connection. Drafts are stored
 * separately, and the composer's text is not stored here.
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
