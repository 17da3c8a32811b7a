import type { ClientEvent, DecodedFrame, Vocabulary } from '../../protocol/index.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import type { ConnectionEvent } from '../connection/connection-state.ts';
import type { DraftEvent, Outbox } from './outbox/outbox-state.ts';
import type { SessionAction } from './session-action.ts';
import { type AppendMap, createAppendMap, lookUp } from './transcript/append-map.ts';
import { EMPTY_TRANSCRIPT, type Ended, type Transcript } from './transcript/transcript-state.ts';

/** How the conversation ended for good, as far as this client is concerned. */
type Outcome = Ended['by'] | 'expired';

/** One session as this client lives it. */
export interface Conversation {
  /** Empty while there is none. */
  readonly sessionId: string;
  readonly transcript: Transcript;
  readonly outbox: Outbox;
  readonly vocabulary: Vocabulary;
  /** What the token proxy takes besides, by name. */
  readonly offers: readonly string[];
  /** Hash of the user that the page named; empty without one. Survives a change of session. */
  readonly owner: string;
  /** Counts logouts and changes of the owner: with each, every tab clears its composer. */
  readonly visitors: number;
  /** Of the tab that has the socket. */
  readonly connection: ConnectionStatus;
  /** When a lost connection is shown, unless it is back by then; infinite for never. Source: CON-6. */
  readonly lostAtMs: number;
  readonly hasLostConnection: boolean;
  /** When the history on this socket counts as read (RPL-8), at the latest or since when; infinite without a socket. */
  readonly liveAtMs: number;
  /** It has been read. Until then nothing is sent. */
  readonly isLive: boolean;
  /** Sockets opened so far, including sockets of replaced sessions; the number of the current one. */
  readonly connectionCount: number;
  /** The first replay of a resumed session is the past of another page. */
  readonly isResumed: boolean;
  /** When to ask the agent in; infinite once that is done on this socket. Source: JOIN-1. */
  readonly joinAtMs: number;
  /** How often a lost conversation was to be got back by that, since the agent last joined. Source: REC-1, REC-2. */
  readonly recoveries: number;
  /** The conversation is lost, the agent asked again or about to be; messages wait. */
  readonly isRecovering: boolean;
  /** Times the platform could not look the session up. Source: messaging.md 12.1. */
  readonly lookupFailures: number;
  /** This visitor ended the chat here. */
  readonly hasUserEnded: boolean;
  readonly outcome: Outcome | null;
  /** When to close the socket of an ended chat, should the platform not do it; infinite for never. Source: messaging.md 6.4. */
  readonly closeAtMs: number;
  /** Source: ST-2. */
  readonly lastActivityMs: number;
  /** Ids of the commands of other tabs that were executed, so that none is executed twice. */
  readonly handledCommands: AppendMap<string, true>;
}

/**
 * The version of `Conversation`, and of the messages that tabs exchange about it. Raise it with every change of either: tabs
 * that were loaded before and after a release then do not share their state, and a stored one is not read.
 */
export const STATE_VERSION = 13;

export type ConversationAction =
  /** The connection's status. Only an open one has a socket. */
  | { readonly type: 'connection'; readonly connection: ConnectionStatus }
  /** The platform closed with 1000. */
  | { readonly type: 'closed' }
  | { readonly type: 'frame'; readonly frame: DecodedFrame }
  /** A deadline is over. */
  | { readonly type: 'tick' }
  | {
      readonly type: 'written';
      readonly localId: string;
      readonly event: DraftEvent;
    }
  /** The token proxy's answer to a feedback that was not sent to the platform. */
  | { readonly type: 'feedback_answered'; readonly localId: string; readonly isTaken: boolean }
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
  /** The visitor no longer wants a person. */
  | { readonly type: 'handoff_cancelled' }
  /** The visitor wants no more of the answer that streams. */
  | { readonly type: 'answer_stopped' }
  | { readonly type: 'claimed'; readonly owner: string }
  | { readonly type: 'user_ended' }
  | { readonly type: 'expired' }
  | SessionAction;

/**
 * Effects for the client: write an event, or report to the connection that the platform does not know its session,
 * that its socket has to be replaced, that it is to be tried again, or that the chat is over.
 */
export type Command =
  | ClientEvent
  | Extract<ConnectionEvent, { type: 'connect' | 'socket_closed' | 'disconnect' }>;

export interface ConversationStep {
  readonly conversation: Conversation;
  readonly commands: readonly Command[];
  /** Ids of events that were left out: repeats and what could not be read. */
  readonly ignored: readonly string[];
}

/** One step of the reducer: its time, and its results so far. */
export interface Turn {
  readonly nowMs: number;
  readonly commands: Command[];
  readonly ignored: string[];
}

/** What begins anew with every session. */
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

/** Nothing is known, nothing was said. */
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

/** True once nothing more may be said. */
export const isOver = ({ outcome, hasUserEnded }: Conversation): boolean => outcome !== null || hasUserEnded;

/** True while a request for a person can be withdrawn. Source: EXT-1, EXT-5. */
export const canCancelHandoff = (conversation: Conversation): boolean =>
  conversation.isLive &&
  !isOver(conversation) &&
  conversation.transcript.isWaitingForPerson &&
  conversation.transcript.extensions.includes('cancel_handoff');

/** True where a feedback about an answer reaches the platform, or the token proxy in its stead. Source: EXT-1, EXT-6. */
export const canGiveFeedback = (conversation: Conversation): boolean =>
  !isOver(conversation) &&
  !('isTurnBased' in conversation.connection) &&
  (conversation.transcript.extensions.includes('feedback') || conversation.offers.includes('feedback'));

/** True where the token proxy takes a request for an answer by e-mail. Its ticket ends with the conversation. */
export const canRequestContact = (conversation: Conversation): boolean =>
  !isOver(conversation) && conversation.offers.includes('contact');
