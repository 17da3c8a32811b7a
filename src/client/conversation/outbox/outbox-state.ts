import type { ClientEvent, FeedbackPayload } from '../../../protocol/index.ts';
import type { DeliveryStatus } from '../../chat-state.ts';

/**
 * The content that the outbox delivers unchanged: a visitor's message, or feedback about an agent's message. Its custom
 * map is the page's context (MET-1), without the draft's id.
 */
export type DraftEvent = Extract<ClientEvent, { type: 'EVENT_TYPE_USER_MESSAGE' | 'EVENT_TYPE_X_FEEDBACK' }>;

/** A visitor's message, or feedback about an agent's message, on its way to the platform. */
export interface Draft {
  /** The client's id for it, kept through every resend. Source: DEL-8. */
  readonly localId: string;
  readonly event: DraftEvent;
  readonly createdAtMs: number;
  /** The cursor when it was written, because an echo without an id can only be a later event. */
  readonly afterSequence: number;
  readonly delivery: DeliveryStatus;
  /** When its current state began: written, first sent, or held. */
  readonly sinceMs: number;
  /** When it was sent last. */
  readonly sentAtMs: number;
  /** The socket that sent it last; null before the first send, and if an earlier page sent it. */
  readonly sentOnConnection: number | null;
  /** Whether the platform had no conversation for it; it is sent again when the agent is back. Source: SYS-4. */
  readonly isHeld: boolean;
}

/** Every draft of this conversation in the order of writing, confirmed ones included (DEL-2). */
export type Outbox = readonly Draft[];

export const isFailed = ({ delivery }: Draft): boolean => delivery.status === 'failed';

/** True until the platform has stored it, failed ones included. */
export const isUnconfirmed = ({ delivery }: Draft): boolean => delivery.status !== 'sent';

/** True for a message, which has a place in the transcript. */
export const isMessage = ({ event }: Pick<Draft, 'event'>): boolean =>
  event.type === 'EVENT_TYPE_USER_MESSAGE';

/** The text of a message; empty for a feedback. */
export const textOf = ({ event }: Pick<Draft, 'event'>): string =>
  event.type === 'EVENT_TYPE_USER_MESSAGE' ? event.payload.text : '';

/** The feedback of a draft; null for a message. Source: EXT-3. */
export const feedbackOf = ({ event }: Pick<Draft, 'event'>): FeedbackPayload | null =>
  event.type === 'EVENT_TYPE_X_FEEDBACK' ? event.payload : null;

/** Environment of the outbox's decisions. */
export interface OutboxContext {
  readonly nowMs: number;
  /** The chat has ended, so nothing is sent any more. */
  readonly isOver: boolean;
  /** Number of the current socket; null while there is none. */
  readonly connectionNumber: number | null;
  /** The replay of this socket has been read. */
  readonly isReplayRead: boolean;
  /** Messages may be sent: the replay was read, and an agent is known. */
  readonly isReady: boolean;
  /** False for a platform that does not promise ECH-4. Source: DEL-6. */
  readonly canResend: boolean;
  /** True for a draft whose encoded frame is over the platform's limit. */
  readonly isTooLong: (draft: Draft) => boolean;
}
