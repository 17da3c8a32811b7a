import type { ClientEvent, FeedbackPayload } from '../../../protocol/index.ts';
import type { DeliveryStatus } from '../../chat-state.ts';

/**
 * What the outbox delivers, whole as it was written: a message of the visitor, or a feedback about one of the agent. Its custom
 * map is what the page says along with it (MET-1), without the id of the draft.
 */
export type DraftEvent = Extract<ClientEvent, { type: 'EVENT_TYPE_USER_MESSAGE' | 'EVENT_TYPE_X_FEEDBACK' }>;

/** A message of the visitor, or a feedback about a message of the agent, on its way to the platform. */
export interface Draft {
  /** The client's own name for it, kept through every resend. Source: DEL-8. */
  readonly localId: string;
  readonly event: DraftEvent;
  readonly createdAtMs: number;
  /** The cursor when it was written: an echo without an id can only be a later event. */
  readonly afterSequence: number;
  readonly delivery: DeliveryStatus;
  /** When the clock of its state began: it was written, sent for the first time, or held. */
  readonly sinceMs: number;
  /** When it was sent last. */
  readonly sentAtMs: number;
  /** Which socket carried it last; null before the first send, and when that socket belonged to an earlier page. */
  readonly sentOnConnection: number | null;
  /** The platform had no conversation for it; it goes out again when the agent is back. Source: SYS-4. */
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

/** What a feedback says; null for a message. Source: EXT-3. */
export const feedbackOf = ({ event }: Pick<Draft, 'event'>): FeedbackPayload | null =>
  event.type === 'EVENT_TYPE_X_FEEDBACK' ? event.payload : null;

/** What the outbox has to know about the world to decide. */
export interface OutboxContext {
  readonly nowMs: number;
  /** The chat has ended: nothing goes out any more. */
  readonly isOver: boolean;
  /** Number of the current socket; null while there is none. */
  readonly connectionNumber: number | null;
  /** The replay of this socket has been read. */
  readonly isReplayRead: boolean;
  /** Messages may go out: replay read, agent known. */
  readonly isReady: boolean;
  /** False for a platform that does not promise ECH-4. Source: DEL-6. */
  readonly canResend: boolean;
  /** True for a draft whose encoded frame is over the platform's limit. */
  readonly isTooLong: (draft: Draft) => boolean;
}
