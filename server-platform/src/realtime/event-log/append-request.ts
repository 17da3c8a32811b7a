import type { Sql } from '../../db/index.ts';
import type { ConversationChange } from './conversation-change.ts';
import type { NewEvent, StoredEvent } from './stored-event.ts';
import type { SessionPatch } from './stored-session.ts';

/** One append to one session's log. */
export type AppendRequest = {
  readonly sessionId: string;
  /** The epoch under which the caller owns the session (`claimSession`). */
  readonly epoch: number;
  /** In order. May be empty when only effects are wanted. At most one may carry a `clientEventId`. */
  readonly events: readonly NewEvent[];
  /** What else changes in the same commit. Nothing of it happens when the request is refused or a repetition. */
  readonly effects?: AppendEffects | undefined;
};

/** Changes that are committed together with the events of a request. */
export type AppendEffects = {
  /** Fields of the session to set; those left out stay. */
  readonly session?: SessionPatch | undefined;
  /** Queues a turn whose input is the first event of this request. */
  readonly queueTurn?: { readonly id: string } | undefined;
  /** Notes that the answer `messageId` of an open turn of this session has begun. */
  readonly beginTurn?:
    | { readonly id: string; readonly messageId: string; readonly startedAtMs: number }
    | undefined;
  /** A turn of this session is over: the table of open turns has it no more. */
  readonly endTurn?: { readonly id: string } | undefined;
  /** What this adds to the conversation's record. */
  readonly record?: ConversationChange | undefined;
  /**
   * No caller waits for these changes: they are written with the next writes, or after a few hundredths of a
   * second. Requests of the same session that come later are written in the same commit or after it.
   */
  readonly canWait?: boolean | undefined;
  /**
   * Any other statements of the same transaction (a webhook job). It holds up every append of
   * the process while it runs: two or three quick statements, no other work. When it rejects, this request fails and
   * nothing of it is stored.
   */
  readonly also?: ((sql: Sql, stored: readonly StoredEvent[]) => Promise<void>) | undefined;
};

/** The result of an append. */
export type AppendResult =
  /** Committed. `turn` is the queued turn, when one was asked for. */
  | {
      readonly status: 'appended';
      readonly events: readonly StoredEvent[];
      readonly turn: { readonly id: string; readonly ordinal: number; readonly inputSequence: number } | null;
    }
  /** A user message with this client id is in the log already; nothing was written (ECH-4). */
  | { readonly status: 'repeated'; readonly original: StoredEvent }
  /** The session has another owner by now; nothing was written. */
  | { readonly status: 'stale_owner' }
  /** The session is ended or expired; nothing was written. */
  | { readonly status: 'session_closed' }
  /** There is no such session, or no more; nothing was written. */
  | { readonly status: 'session_missing' };

/** Whether a request only adds events. */
export function isPlain(request: AppendRequest): boolean {
  return request.effects === undefined && keyOf(request) === null;
}

/** The draft id by which a repetition of the request would be known; null: it has none. */
export function keyOf(request: AppendRequest): string | null {
  return request.events.map(({ clientEventId }) => clientEventId ?? null).find((id) => id !== null) ?? null;
}
