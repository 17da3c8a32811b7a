import { CLOSE_CODES, type OutgoingEvent } from 'natter/protocol';
import { isDatabaseError } from '../../db/index.ts';

/** The sender of one command, who may be answered alone. */
export interface ReplyTarget {
  deliver(event: OutgoingEvent): void;
  /** Refuses the command for a fault of the client's: counted, and answered at a bounded rate. Source: section 16. */
  refuse(answer: OutgoingEvent): void;
  close(code: number, reason: string): void;
}

/** The close code after a write that failed: both mean "come back", and 1013 that nothing is amiss (4.5). */
export function closeCodeOf(error: unknown): number {
  const isOverload = isDatabaseError(error) && error.code === 'overloaded';
  return isOverload ? CLOSE_CODES.overload : CLOSE_CODES.internalError;
}
