/** Conversations over REST. */
export { startChatFamily } from './chat-family.ts';
