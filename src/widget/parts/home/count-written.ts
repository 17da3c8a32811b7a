import type { Chat } from '../../../client/index.ts';

/** Number of the visitor's messages. */
export const countWritten = ({ messages }: Pick<Chat, 'messages'>): number =>
  messages.value.filter((entry) => entry.peek().kind === 'user').length;
