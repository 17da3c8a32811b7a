import { CLOSE_CODES, type OutgoingEvent } from 'natter/protocol';
import { isDatabaseError } from '../../db/index.ts';

/** The sender of one command, which can receive individual replies. */
export interface ReplyTarget {
  deliver(event: OutgoingEvent): void;
  /** Rejects a faulty command: counts it and answers at a bounded rate. Source: section 16. */
  refuse(answer: OutgoingEvent): void;
  close(code: number, reason: string): void;
}

/** The close code after a failed write: both make the client reconnect, and 1013 means that nothing is wrong (4.5). */
export function closeCodeOf(error: unknown): number {
  const isOverload = isDatabaseError(error) && error.code === 'overloaded';
  return isOverload ? CLOSE_CODES.overload : CLOSE_CODES.internalError;
}
