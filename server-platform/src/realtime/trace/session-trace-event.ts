import type { TurnResult } from '../messaging-context.ts';

/** Outcome of a frame received from a socket. */
export type FrameOutcome =
  | 'accepted'
  /** Not a frame of the contract, or not allowed from clients. */
  | 'refused'
  /** Above the session's rate limit. */
  | 'limited'
  /** Above the socket's rate limit, so not even decoded. */
  | 'unread';

/**
 * Something that happened to a session on this node. All texts are the platform's own (types, codes, ids). It contains
 * no message text, token or address, so traces and logs can show all of it.
 */
export type SessionTraceEvent =
  | { readonly kind: 'handshake_refused'; readonly code: string }
  | { readonly kind: 'socket_opened'; readonly socket: number; readonly cursor: number }
  | {
      readonly kind: 'frame_received';
      readonly socket: number;
      /** Null: not decoded, or not defined by the contract. */
      readonly type: string | null;
      readonly bytes: number;
      readonly outcome: FrameOutcome;
    }
  | { readonly kind: 'frame_sent'; readonly socket: number; readonly type: string; readonly bytes: number }
  | { readonly kind: 'socket_closed'; readonly socket: number; readonly code: number }
  /** This node acquired the session. */
  | { readonly kind: 'acquired'; readonly epoch: number }
  | { readonly kind: 'released'; readonly why: string }
  | { readonly kind: 'joined'; readonly conversationId: string }
  | {
      readonly kind: 'committed';
      /** Distinct types of the events; empty: no events. */
      readonly types: readonly string[];
      /** Their sequences; null: no events. */
      readonly first: number | null;
      readonly last: number | null;
      readonly ms: number;
    }
  | {
      readonly kind: 'turn_started';
      readonly turn: string;
      /** Sequence of the message; null for a turn without a message. */
      readonly sequence: number | null;
      /** Time between the message and the start of its turn; null for a turn without a message. */
      readonly waitedMs: number | null;
    }
  | {
      readonly kind: 'turn_ended';
      readonly turn: string;
      readonly result: TurnResult;
      readonly ms: number;
      /** From the begin of the turn to the first part of the answer; null: there is none. */
      readonly firstPartMs: number | null;
      /** Failure code; null: none. */
      readonly failure: string | null;
    }
  /** `what` is the failed operation; `code` is the error's code or class, because its message may quote a user. */
  | { readonly kind: 'failed'; readonly what: string; readonly code: string }
  | { readonly kind: 'warned'; readonly what: string }
  | { readonly kind: 'ended'; readonly reason: string };

/** Returns an error's code, or else its class. */
export function codeOf(error: unknown): string {
  const hasCode = error instanceof Error && 'code' in error && typeof error.code === 'string';
  return hasCode ? String(error.code) : error instanceof Error ? error.name : typeof error;
}
