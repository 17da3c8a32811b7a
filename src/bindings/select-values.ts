import type { ChatSnapshot, TranscriptItem } from '../client/index.ts';

export const selectMessages = ({ messages }: ChatSnapshot): readonly TranscriptItem[] => messages;

/** The composer's draft. */
export const selectText = ({ unsent }: ChatSnapshot): string => unsent;

/** The conversation has ended or expired: nothing can be sent until `newChat()`. */
export const selectIsOver = ({ session }: ChatSnapshot): boolean =>
  session.status === 'ended' || session.status === 'expired';
