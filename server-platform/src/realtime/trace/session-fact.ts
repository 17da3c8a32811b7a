import type { TurnResult } from '../messaging-context.ts';

/** What became of a frame that a socket received. */
export type FrameOutcome =
  | 'accepted'
  /** No frame of the contract, or one that clients may not send. */
  | 'refused'
  /** Above the rate of the session. */
  | 'limited'
  /** Above the rate of a socket: not even decoded. */
  | 'unread';

/**
 * One thing that happened to a session on this node. Every text in it is one of the platform's own (a type, a code, an id):
 * no word of a conversation, no token and no address gets here, so traces and logs can show all of it.
 */
export type SessionFact =
  | { readonly kind: 'handshake_refused'; readonly code: string }
  | { readonly kind: 'socket_opened'; readonly socket: number; readonly cursor: number }
  | {
      readonly kind: 'frame_received';
      readonly socket: number;
      /** Null: it was not decoded, or the contract does not define it. */
      readonly type: string | null;
      readonly bytes: number;
      readonly outcome: FrameOutcome;
    }
  | { readonly kind: 'frame_sent'; readonly socket: number; readonly type: string; readonly bytes: number }
  | { readonly kind: 'socket_closed'; readonly socket: number; readonly code: number }
  /** This node writes the session from now on. */
  | { readonly kind: 'acquired'; readonly epoch: number }
  | { readonly kind: 'released'; readonly why: string }
  | { readonly kind: 'joined'; readonly conversationId: string }
  | {
      readonly kind: 'committed';
      /** Types of the events, each once; empty: the commit has no event. */
      readonly types: readonly string[];
      /** Their sequences; null: there is no event. */
      readonly first: number | null;
      readonly last: number | null;
      readonly ms: number;
    }
  | {
      readonly kind: 'turn_started';
      readonly turn: string;
      /** Sequence of the message; null: nothing was written. */
      readonly sequence: number | null;
      /** Between the message and the begin of its turn; null: nothing was written. */
      readonly waitedMs: number | null;
    }
  | {
      readonly kind: 'turn_ended';
      readonly turn: string;
      readonly result: TurnResult;
      readonly ms: number;
      /** From the begin of the turn to the first part of the answer; null: there is none. */
      readonly firstPartMs: number | null;
      /** Code of the failure; null: there is none. */
      readonly failure: string | null;
    }
  /** `what` was tried; `code` is the error's code or class, because its message may quote a user. */
  | { readonly kind: 'failed'; readonly what: string; readonly code: string }
  | { readonly kind: 'warned'; readonly what: string }
  | { readonly kind: 'ended'; readonly reason: string };

/** The code of an error, or its class. */
export function codeOf(error: unknown): string {
  const hasCode = error instanceof Error && 'code' in error && typeof error.code === 'string';
  return hasCode ? String(error.code) : error instanceof Error ? error.name : typeof error;
}
