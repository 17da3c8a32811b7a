import type { ChatSnapshot, TranscriptItem } from '../client/index.ts';

export const selectMessages = ({ messages }: ChatSnapshot): readonly TranscriptItem[] => messages;

/** Returns the composer's draft. */
export const selectText = ({ unsent }: ChatSnapshot): string => unsent;

/** Returns true after the conversation has ended or expired: nothing can be sent until `newChat()`. */
export const selectIsOver = ({ session }: ChatSnapshot): boolean =>
  session.status === 'ended' || session.status === 'expired';
