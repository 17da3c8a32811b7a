import type { ChatClient, ChatSnapshot, ChatState } from '../client/index.ts';

/** A client with its state as plain values instead of signals: `messages`, `typing`, … and `send`, `start`, … */
export type ChatValues = ChatSnapshot & Omit<ChatClient, keyof ChatState>;

/** Combines the commands of a client and a snapshot of its state in one object. */
export const toChatValues = (client: ChatClient, snapshot: ChatSnapshot): ChatValues => ({
  ...client,
  ...snapshot,
});
