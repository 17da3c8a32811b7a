import type { Sql } from '../../db/index.ts';
import type { ConversationChange } from './conversation-change.ts';
import type { NewEvent, StoredEvent } from './stored-event.ts';
import type { SessionPatch } from './stored-session.ts';

/** One append to one session's log. */
export type AppendRequest = {
  readonly sessionId: string;
  /** The epoch under which the caller owns the session (`claimSession`). */
  readonly epoch: number;
  /** In order. May be empty if the request has effects only. At most one may carry a `clientEventId`. */
  readonly events: readonly NewEvent[];
  /** Further changes of the same commit. None is applied when the request is refused or a duplicate. */
  readonly effects?: AppendEffects | undefined;
};

/** Changes that are committed together with the events of a request. */
export type AppendEffects = {
  /** Session fields to set; omitted fields stay unchanged. */
  readonly session?: SessionPatch | undefined;
  /** Queues a turn whose input is the first event of this request. */
  readonly queueTurn?: { readonly id: string } | undefined;
  /** Records that the answer `messageId` of an open turn has begun. */
  readonly beginTurn?:
    | { readonly id: string; readonly messageId: string; readonly startedAtMs: number }
    | undefined;
  /** Ends a turn of this session: removes it from the table of open turns. */
  readonly endTurn?: { readonly id: string } | undefined;
  /** Change of the conversation's record. */
  readonly record?: ConversationChange | undefined;
  /**
   * No caller waits for these changes, so they may be delayed by a few hundredths of a second and written with later
   * requests. Later requests of the same session are written in the same commit or after it.
   */
  readonly canWait?: boolean | undefined;
  /**
   * Runs further statements in the same transaction (a webhook job). It blocks every append of the process while it
   * runs, so it must be two or three quick statements and nothing else. If it rejects, this request fails and stores
   * nothing.
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
  /** The log already has a user message with this client id; nothing was written (ECH-4). */
  | { readonly status: 'repeated'; readonly original: StoredEvent }
  /** Another node owns the session; nothing was written. */
  | { readonly status: 'stale_owner' }
  /** The session is ended or expired; nothing was written. */
  | { readonly status: 'session_closed' }
  /** The session does not exist, or no longer; nothing was written. */
  | { readonly status: 'session_missing' };

/** Whether a request only adds events. */
export function isPlain(request: AppendRequest): boolean {
  return request.effects === undefined && keyOf(request) === null;
}

/** Returns the draft id that identifies duplicates of the request; null: it has none. */
export function keyOf(request: AppendRequest): string | null {
  return request.events.map(({ clientEventId }) => clientEventId ?? null).find((id) => id !== null) ?? null;
}
