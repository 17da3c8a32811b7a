import type { ClientEvent, DecodedFrame, Vocabulary } from '../../protocol/index.ts';
import type { Draft, Outbox } from '../outbox/outbox-state.ts';
import type { Ended, Transcript } from '../transcript/transcript-state.ts';

/** The socket as the conversation sees it. */
type Link =
  | { readonly status: 'down' }
  /** Open, history is coming in; it counts as read at `quietAtMs` at the latest. Source: RPL-8. */
  | { readonly status: 'replaying'; readonly number: number; readonly quietAtMs: number }
  | { readonly status: 'live'; readonly number: number; readonly sinceMs: number };

/** How the conversation ended for good, as far as this client is concerned. */
type Outcome = { readonly by: Ended['by'] } | 'expired';

/** One session as this client lives it. */
export interface Conversation {
  readonly transcript: Transcript;
  readonly outbox: Outbox;
  readonly vocabulary: Vocabulary;
  readonly link: Link;
  /** Sockets opened so far. */
  readonly links: number;
  /** The first replay of a resumed session is the past of another page. */
  readonly isResumed: boolean;
  /** A join request on this socket has no answer yet. Source: JOIN-1. */
  readonly isJoining: boolean;
  readonly recovery: Recovery;
  /** Times the platform could not look the session up. Source: messaging.md 12.1. */
  readonly lookupFailures: number;
  /** This visitor ended the chat here. */
  readonly hasUserEnded: boolean;
  readonly outcome: Outcome | null;
  /** When to close the socket of an ended chat, should the platform not do it. Source: messaging.md 6.4. */
  readonly closeAtMs: number | null;
  /** Source: ST-2. */
  readonly lastActivityMs: number;
}

/** Getting a lost conversation back by asking the agent in again. Source: REC-1, REC-2. */
interface Recovery {
  readonly attempts: number;
  readonly dueAtMs: number | null;
  /** Asked again, or about to; messages wait. */
  readonly isUnderWay: boolean;
}

export type ConversationInput =
  | { readonly type: 'opened' }
  | { readonly type: 'dropped' }
  /** The platform closed with 1000. */
  | { readonly type: 'closed' }
  | { readonly type: 'frame'; readonly frame: DecodedFrame }
  /** A deadline is over. */
  | { readonly type: 'tick' }
  | { readonly type: 'written'; readonly localId: string; readonly text: string }
  | { readonly type: 'retried'; readonly localId: string; readonly newLocalId: string }
  | { readonly type: 'discarded'; readonly localId: string }
  | { readonly type: 'read' }
  | { readonly type: 'user_ended' }
  | { readonly type: 'expired' };

/** What the client has to do. */
export type Command =
  | { readonly type: 'send'; readonly event: ClientEvent }
  /** The session is unknown to the platform. */
  | { readonly type: 'reject_session' }
  /** Connect again with the same session. */
  | { readonly type: 'recycle' }
  | { readonly type: 'close' };

export interface ConversationStep {
  readonly conversation: Conversation;
  readonly commands: readonly Command[];
  /** Ids of events that were left out: repeats and what could not be read. */
  readonly ignored: readonly string[];
}

/** The frame a draft goes out as; both spellings of its name are written. Source: MET-4. */
export function toUserMessage({ localId, text }: Draft): ClientEvent {
  return {
    type: 'EVENT_TYPE_USER_MESSAGE',
    payload: { text },
    custom: { client_event_id: localId, local_id: localId },
  };
}
