import type { ClientEvent, CustomMap, DecodedFrame, Vocabulary } from '../../protocol/index.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import type { ConnectionEvent } from '../connection/connection-state.ts';
import type { Outbox } from '../outbox/outbox-state.ts';
import { EMPTY_TRANSCRIPT, type Ended, type Transcript } from '../transcript/transcript-state.ts';

/** How the conversation ended for good, as far as this client is concerned. */
type Outcome = Ended['by'] | 'expired';

/** What the tab with the socket shows of its connection, and every other tab with it. */
export interface Shown {
  readonly connection: ConnectionStatus;
  readonly hasLostConnection: boolean;
}

/** One session as this client lives it. */
export interface Conversation extends Shown {
  readonly transcript: Transcript;
  readonly outbox: Outbox;
  readonly vocabulary: Vocabulary;
  /** Whose it is, as the page said; empty for nobody's in particular. Survives a change of session. */
  readonly owner: string;
  /** What stands in the composer, of all tabs. Never stored; survives a change of session. */
  readonly unsent: string;
  /** The socket as the conversation sees it. While history comes in, nothing is sent. */
  readonly link: 'down' | 'replaying' | 'live';
  /** Replaying: when history counts as read at the latest (RPL-8). Live: since when. */
  readonly linkAtMs: number;
  /** Sockets opened so far, those of sessions that were replaced included; the number of the current one. */
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
  /** When to close the socket of an ended chat, should the platform not do it; infinite for never. Source: messaging.md 6.4. */
  readonly closeAtMs: number;
  /** Source: ST-2. */
  readonly lastActivityMs: number;
}

/** Getting a lost conversation back by asking the agent in again. Source: REC-1, REC-2. */
interface Recovery {
  readonly attempts: number;
  /** Infinite for never. */
  readonly dueAtMs: number;
  /** Asked again, or about to; messages wait. */
  readonly isUnderWay: boolean;
}

export type ConversationInput =
  | { readonly type: 'opened' }
  | { readonly type: 'dropped' }
  /** The platform closed with 1000. */
  | { readonly type: 'closed' }
  | { readonly type: 'frame'; readonly frame: DecodedFrame }
  /** Something about the connection that every tab shows. */
  | { readonly type: 'connection'; readonly shown: Partial<Shown> }
  /** A deadline is over. */
  | { readonly type: 'tick' }
  | {
      readonly type: 'written';
      readonly localId: string;
      readonly text: string;
      /** What the page says along with it. Source: MET-1. */
      readonly custom?: CustomMap | undefined;
    }
  | { readonly type: 'retried'; readonly localId: string; readonly newLocalId: string }
  | { readonly type: 'discarded'; readonly localId: string }
  | { readonly type: 'read' }
  /** The visitor answers the survey; null skips it. */
  | { readonly type: 'rated'; readonly surveyId: string; readonly score: number | null }
  | { readonly type: 'claimed'; readonly owner: string }
  /** The visitor has changed what stands in the composer. */
  | { readonly type: 'composed'; readonly text: string }
  | { readonly type: 'user_ended' }
  | { readonly type: 'expired' };

/**
 * What the client has to do: write a frame, or tell the connection that its session is unknown to the platform,
 * that its socket has to be replaced, or that the chat is over.
 */
export type Command =
  | { readonly type: 'send'; readonly event: ClientEvent }
  | Extract<ConnectionEvent, { type: 'socket_closed' | 'disconnect' }>;

export interface ConversationStep {
  readonly conversation: Conversation;
  readonly commands: readonly Command[];
  /** Ids of events that were left out: repeats and what could not be read. */
  readonly ignored: readonly string[];
}

/** One step while it is taken: the moment, and what has come of it so far. */
export interface Turn {
  readonly nowMs: number;
  readonly commands: Command[];
  readonly ignored: string[];
}

/** Nothing lost, nothing under way. */
export const NO_RECOVERY: Recovery = { attempts: 0, dueAtMs: Infinity, isUnderWay: false };

/** What begins anew with every session. */
export const NEW_SESSION: Pick<
  Conversation,
  | 'transcript'
  | 'link'
  | 'linkAtMs'
  | 'isJoining'
  | 'recovery'
  | 'lookupFailures'
  | 'hasUserEnded'
  | 'outcome'
  | 'closeAtMs'
> = {
  transcript: EMPTY_TRANSCRIPT,
  link: 'down',
  linkAtMs: 0,
  isJoining: false,
  recovery: NO_RECOVERY,
  lookupFailures: 0,
  hasUserEnded: false,
  outcome: null,
  closeAtMs: Infinity,
};

/** Nothing is known, nothing was said. */
export const NEW_CONVERSATION: Conversation = {
  ...NEW_SESSION,
  connection: { status: 'idle' },
  hasLostConnection: false,
  vocabulary: 'neutral',
  owner: '',
  unsent: '',
  outbox: [],
  links: 0,
  isResumed: false,
  lastActivityMs: 0,
};

/** Whether a message of this name was written, or said by whichever tab. */
export const hasMessage = ({ outbox, transcript }: Conversation, name: string): boolean =>
  outbox.some(({ localId }) => localId === name) ||
  transcript.entries.some(({ item }) => item.key === `user:${name}`);

/** True once nothing more may be said. */
export const isOver = ({ outcome, hasUserEnded }: Conversation): boolean => outcome !== null || hasUserEnded;
