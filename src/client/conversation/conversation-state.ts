import type { ClientEvent, DecodedFrame, Vocabulary } from '../../protocol/index.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import type { ConnectionEvent } from '../connection/connection-state.ts';
import type { DraftEvent, Outbox } from './outbox/outbox-state.ts';
import type { SessionAction } from './session-action.ts';
import { type AppendMap, createAppendMap, lookUp } from './transcript/append-map.ts';
import { EMPTY_TRANSCRIPT, type Ended, type Transcript } from './transcript/transcript-state.ts';

/** How the conversation ended permanently for this client. */
type Outcome = Ended['by'] | 'expired';

/** One session as known to this client. */
export interface Conversation {
  /** Empty without a session. */
  readonly sessionId: string;
  readonly transcript: Transcript;
  readonly outbox: Outbox;
  readonly vocabulary: Vocabulary;
  /** Further features of the token proxy, by name. */
  readonly offers: readonly string[];
  /** Hash of the page's user; empty without one. Survives a change of session. */
  readonly owner: string;
  /** Incremented by every logout and change of owner; every tab then clears its composer. */
  readonly visitors: number;
  /** Connection of the tab that has the socket. */
  readonly connection: ConnectionStatus;
  /** When a lost connection is shown unless restored before; infinite for never. Source: CON-6. */
  readonly lostAtMs: number;
  readonly hasLostConnection: boolean;
  /** Deadline or time at which this socket's history counts as read (RPL-8); infinite without a socket. */
  readonly liveAtMs: number;
  /** Whether the history was read. Nothing is sent before that. */
  readonly isLive: boolean;
  /** Whether messages were read that the platform is to be told of once the history was read. Source: EXT-8. */
  readonly isReadDue?: boolean;
  /** Sockets opened so far, including sockets of replaced sessions; the number of the current one. */
  readonly connectionCount: number;
  /** Whether the first replay of a resumed session is another page's past. */
  readonly isResumed: boolean;
  /** When to request the agent; infinite once done on this socket. Source: JOIN-1. */
  readonly joinAtMs: number;
  /** Number of join requests to recover a lost conversation since the agent last joined. Source: REC-1, REC-2. */
  readonly recoveries: number;
  /** Whether the conversation is lost and the agent is requested again; messages wait. */
  readonly isRecovering: boolean;
  /** How often the platform could not look up the session. Source: messaging.md 12.1. */
  readonly lookupFailures: number;
  /** Whether this visitor ended the chat here. */
  readonly hasUserEnded: boolean;
  readonly outcome: Outcome | null;
  /** When to close an ended chat's socket if the platform does not; infinite for never. Source: messaging.md 6.4. */
  readonly closeAtMs: number;
  /** Source: ST-2. */
  readonly lastActivityMs: number;
  /** Ids of executed commands of other tabs, so that none is executed twice. */
  readonly handledCommands: AppendMap<string, true>;
}

/**
 * Version of `Conversation`, and of the messages between tabs. Increment it with every change of either, so that tabs
 * loaded before and after a release do not share their state, and older stored states are not read.
 */
export const STATE_VERSION = 14;

export type ConversationAction =
  /** The connection's status. Only an open one has a socket. */
  | { readonly type: 'connection'; readonly connection: ConnectionStatus }
  /** The platform closed with 1000. */
  | { readonly type: 'closed' }
  | { readonly type: 'frame'; readonly frame: DecodedFrame }
  /** A deadline has passed. */
  | { readonly type: 'tick' }
  | {
      readonly type: 'written';
      readonly localId: string;
      readonly event: DraftEvent;
    }
  /** The token proxy's response to feedback that was not sent to the platform. */
  | { readonly type: 'feedback_answered'; readonly localId: string; readonly isAccepted: boolean }
  | { readonly type: 'retried'; readonly localId: string; readonly newLocalId: string }
  | { readonly type: 'discarded'; readonly localId: string }
  | { readonly type: 'read' }
  /** The visitor answers the survey; null skips it. */
  | {
      readonly type: 'rated';
      readonly surveyId: string;
      readonly score: number | null;
      /** Empty for none. */
      readonly comment: string;
    }
  /** The visitor withdraws the request for a person. */
  | { readonly type: 'handoff_cancelled' }
  /** The visitor stops the streaming answer. */
  | { readonly type: 'answer_stopped' }
  | { readonly type: 'claimed'; readonly owner: string }
  | { readonly type: 'user_ended' }
  | { readonly type: 'expired' }
  | SessionAction;

/**
 * Effects for the client: send an event, or report to the connection that the platform does not know its session, that
 * its socket must be replaced, that it should retry, or that the chat is over.
 */
export type Command =
  | ClientEvent
  | Extract<ConnectionEvent, { type: 'connect' | 'socket_closed' | 'disconnect' }>;

export interface ConversationStep {
  readonly conversation: Conversation;
  readonly commands: readonly Command[];
  /** Ids of ignored events: duplicates and unreadable ones. */
  readonly ignored: readonly string[];
}

/** One step of the reducer: its time, and its results so far. */
export interface Turn {
  readonly nowMs: number;
  readonly commands: Command[];
  readonly ignored: string[];
}

/** Fields that are reset with every session. */
export const NEW_SESSION: Pick<
  Conversation,
  | 'transcript'
  | 'liveAtMs'
  | 'isLive'
  | 'joinAtMs'
  | 'recoveries'
  | 'isRecovering'
  | 'lookupFailures'
  | 'hasUserEnded'
  | 'outcome'
  | 'closeAtMs'
> = {
  transcript: EMPTY_TRANSCRIPT,
  liveAtMs: Infinity,
  isLive: false,
  joinAtMs: 0,
  recoveries: 0,
  isRecovering: false,
  lookupFailures: 0,
  hasUserEnded: false,
  outcome: null,
  closeAtMs: Infinity,
};

/** The empty conversation. */
export const NEW_CONVERSATION: Conversation = {
  ...NEW_SESSION,
  sessionId: '',
  outbox: [],
  vocabulary: 'neutral',
  offers: [],
  owner: '',
  visitors: 0,
  connection: { status: 'idle' },
  lostAtMs: Infinity,
  hasLostConnection: false,
  connectionCount: 0,
  isResumed: false,
  lastActivityMs: 0,
  handledCommands: createAppendMap(),
};

/** Whether a message with this id was written, in this tab or another. */
export function hasMessage({ outbox, transcript }: Conversation, name: string): boolean {
  const key = `user:${name}`;
  return (
    outbox.some(({ localId }) => localId === name) || transcript.entries.some(({ item }) => item.key === key)
  );
}

/** Whether this command of another tab was executed. */
export const isHandled = ({ handledCommands }: Conversation, commandId: string): boolean =>
  lookUp(handledCommands, commandId) === true;

/** True once the conversation has ended. */
export const isOver = ({ outcome, hasUserEnded }: Conversation): boolean => outcome !== null || hasUserEnded;

/** True while a request for a person can be withdrawn. Source: EXT-1, EXT-5. */
export const canCancelHandoff = (conversation: Conversation): boolean =>
  conversation.isLive &&
  !isOver(conversation) &&
  conversation.transcript.isWaitingForPerson &&
  conversation.transcript.extensions.includes('cancel_handoff');

/** True if feedback about an answer reaches the platform, or else the token proxy. Source: EXT-1, EXT-6. */
export const canGiveFeedback = (conversation: Conversation): boolean =>
  !isOver(conversation) &&
  !('isTurnBased' in conversation.connection) &&
  (conversation.transcript.extensions.includes('feedback') || conversation.offers.includes('feedback'));

/** True if the token proxy accepts contact requests. Its ticket ends with the conversation. */
export const canRequestContact = (conversation: Conversation): boolean =>
  !isOver(conversation) && conversation.offers.includes('contact');
