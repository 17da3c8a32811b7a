/*
 * A draft's life. "Ready" means: socket open, its replay read, an agent known, every earlier draft settled.
 *
 * state     what happens                                      next
 * queued    ready                                             pending, sent
 * queued    ready, but the frame is over the limit            failed: too_long
 * queued    no socket for 15 s, platform without ECH-4        failed: no_answer
 * pending   echo                                              sent
 * pending   ready on a newer socket, echo not in its replay   pending, sent again (1)
 * pending   ready, 5, 10, 20 s after the first send           pending, sent again (1)
 * pending   a resend has waited 15 s for a socket             failed: no_answer (1)
 * pending   35 s after the first send                         failed: no_answer (1)
 * pending   replay of a newer socket without the echo         failed: no_answer (2)
 * pending   10 s on the socket that carried it                failed: no_answer (2)
 * pending   error that names it                               failed: refused
 * pending   error that auto-recovery mends                    pending, waits for the agent
 * waiting   agent joined                                      pending, sent again
 * waiting   35 s, or recovery gave up                         failed: no_answer, refused
 * failed    late echo                                         sent
 * any       chat ended                                        failed: chat_ended (not once sent)
 *
 * (1) when resends are safe (ECH-4), (2) when they are not (DEL-6).
 */
import type { ServerEventOf } from '../../../protocol/index.ts';
import { clientEventIdOf } from '../../../protocol/index.ts';
import type { DeliveryStatus } from '../../chat-state.ts';
import {
  type Draft,
  isFailed,
  isMessage,
  isUnconfirmed,
  type Outbox,
  type OutboxContext,
  textOf,
} from './outbox-state.ts';

/** Counted from the first send. Source: DEL-4. */
const RESEND_AFTER_MS = [5_000, 10_000, 20_000] as const;
const GIVE_UP_AFTER_MS = 35_000;
/** Source: DEL-5. */
const WAIT_FOR_SOCKET_MS = 15_000;
/** Without resends. Source: DEL-6. */
const ANSWER_WITHIN_MS = 10_000;
/** Times after which a draft may be due: resends, the wait for a socket, and giving up. */
const LOOK_AFTER_MS = [5_000, 10_000, 15_000, 20_000, 25_000, GIVE_UP_AFTER_MS] as const;

export const QUEUED: DeliveryStatus = { status: 'queued' };
export const PENDING: DeliveryStatus = { status: 'pending' };
export const SENT: DeliveryStatus = { status: 'sent' };

type Failure = DeliveryStatus & { status: 'failed' };
const failure = (reason: Failure['reason'], isRetryable = false): Failure => ({
  status: 'failed',
  reason,
  isRetryable,
});
export const NO_ANSWER: Failure = failure('no_answer', true);
export const REFUSED: Failure = failure('refused', true);
export const MALFORMED: Failure = failure('refused');
export const TOO_LONG: Failure = failure('too_long');
export const CHAT_ENDED: Failure = failure('chat_ended');

/** True until it is stored or given up. */
export const isInFlight = (draft: Draft): boolean => isUnconfirmed(draft) && !isFailed(draft);

export const isHeld = (draft: Draft): boolean => draft.isHeld;

type Written = Pick<Draft, 'localId' | 'event' | 'createdAtMs' | 'afterSequence'>;

/** A new message, queued. */
export const createDraft = (written: Written): Draft => ({
  ...written,
  delivery: QUEUED,
  sinceMs: written.createdAtMs,
  sentAtMs: written.createdAtMs,
  sentOnConnection: null,
  isHeld: false,
});

/** `PENDING` to send it now, a failure, or null to leave it unchanged. */
function nextDelivery(draft: Draft, context: OutboxContext): DeliveryStatus | null {
  const { delivery, sinceMs, sentAtMs, sentOnConnection } = draft;
  const { nowMs, connectionNumber, isReplayRead, isReady, canResend } = context;
  const elapsedMs = nowMs - sinceMs;
  if (context.isOver) return CHAT_ENDED;
  if (delivery.status === 'queued') {
    if (context.isTooLong(draft)) return TOO_LONG;
    if (isReady) return PENDING;
    return !canResend && connectionNumber === null && elapsedMs >= WAIT_FOR_SOCKET_MS ? NO_ANSWER : null;
  }
  const isGivenUp = elapsedMs >= GIVE_UP_AFTER_MS;
  if (draft.isHeld) return isGivenUp ? NO_ANSWER : null;
  const isOnNewerConnection = sentOnConnection === null || sentOnConnection !== connectionNumber;
  if (!canResend)
    return (isOnNewerConnection ? isReplayRead : elapsedMs >= ANSWER_WITHIN_MS) ? NO_ANSWER : null;
  // The send time of an earlier page's draft means nothing here, so wait for the replay.
  if (sentOnConnection === null) return isReady ? PENDING : null;
  if (isGivenUp) return NO_ANSWER;
  const dueAfterMs = RESEND_AFTER_MS.find((afterMs) => sinceMs + afterMs > sentAtMs) ?? Infinity;
  if (isReady && (isOnNewerConnection || elapsedMs >= dueAfterMs)) return PENDING;
  return connectionNumber === null && elapsedMs >= dueAfterMs + WAIT_FOR_SOCKET_MS ? NO_ANSWER : null;
}

const setDelivery = (draft: Draft, delivery: DeliveryStatus): Draft => ({
  ...draft,
  delivery,
  isHeld: false,
});

/**
 * Sends due drafts and fails those that have waited too long. A draft waits until the previous one is settled: if both
 * were in flight and the first was dropped, the log would keep them in the wrong order. `sends` must be written in this
 * order.
 */
export function advanceOutbox(
  outbox: Outbox,
  context: OutboxContext,
): { readonly outbox: Outbox; readonly sends: readonly Draft[] } {
  const { nowMs, connectionNumber } = context;
  const sends: Draft[] = [];
  let isFirst = true;
  const next = change(outbox, isInFlight, (draft) => {
    const verdict = nextDelivery(draft, context);
    if (verdict && verdict !== PENDING) return setDelivery(draft, verdict);
    const isDue = isFirst && verdict;
    isFirst = false;
    if (!isDue) return draft;
    const sinceMs = draft.sentOnConnection === null ? nowMs : draft.sinceMs;
    const sent: Draft = {
      ...draft,
      delivery: PENDING,
      sinceMs,
      sentAtMs: nowMs,
      sentOnConnection: connectionNumber,
    };
    sends.push(sent);
    return sent;
  });
  return { outbox: next, sends };
}

/** Times at which `advanceOutbox` may have an effect, including past ones. */
export function outboxMoments(outbox: Outbox): readonly number[] {
  return outbox
    .filter(isInFlight)
    .flatMap(({ sinceMs }) => LOOK_AFTER_MS.map((afterMs) => sinceMs + afterMs));
}

/** Returns the draft that an echo belongs to. Source: DEL-2. */
export function findEchoedDraft(
  outbox: Outbox,
  {
    custom,
    payload,
    sequence,
  }: Pick<
    ServerEventOf<'EVENT_TYPE_USER_MESSAGE' | 'EVENT_TYPE_X_FEEDBACK'>,
    'custom' | 'payload' | 'sequence'
  >,
): Draft | undefined {
  const name = clientEventIdOf(custom);
  return outbox.find((draft) =>
    name === null
      ? 'text' in payload &&
        draft.delivery.status === 'pending' &&
        textOf(draft) === payload.text &&
        (sequence ?? Infinity) > draft.afterSequence
      : draft.localId === name,
  );
}

/** Changes some drafts; returns the same outbox if none changes. */
function change(outbox: Outbox, isMeant: (draft: Draft) => boolean, toNext: (draft: Draft) => Draft): Outbox {
  const next = outbox.map((draft) => (isMeant(draft) ? toNext(draft) : draft));
  return next.every((draft, index) => draft === outbox[index]) ? outbox : next;
}

/** Sets the delivery of the selected drafts. */
export function settleDrafts(
  outbox: Outbox,
  isMeant: (draft: Draft) => boolean,
  delivery: DeliveryStatus,
): Outbox {
  return change(outbox, isMeant, (draft) => setDelivery(draft, delivery));
}

/** Selects the draft with this id while it is in flight, because only then can it be refused. */
export const isNamed =
  (id: string) =>
  (draft: Draft): boolean =>
    draft.localId === id && isInFlight(draft);

/** Pauses a refused draft while auto-recovery runs. Source: SYS-4. */
export function pauseDraft(outbox: Outbox, id: string, nowMs: number): Outbox {
  return change(outbox, isNamed(id), (draft) => ({ ...draft, isHeld: true, sinceMs: nowMs }));
}

/** Queues the paused drafts again, now that the agent is back. */
export function releaseDrafts(outbox: Outbox): Outbox {
  return change(outbox, isHeld, (draft) => ({ ...setDelivery(draft, QUEUED), sentOnConnection: null }));
}

/** True for an entry that another session may take over. Feedback belongs to a message of its session. */
export const isUnconfirmedMessage = (draft: Draft): boolean => isMessage(draft) && isUnconfirmed(draft);

/**
 * Returns the visitor's unconfirmed messages for another session: sent ones start over, failed ones stay failed, and
 * those selected by `isUnasked` wait for the visitor.
 */
export function moveToSession(outbox: Outbox, isUnasked: (draft: Draft) => boolean): Outbox {
  return outbox.filter(isUnconfirmedMessage).map((draft) => ({
    ...draft,
    afterSequence: 0,
    sentOnConnection: null,
    isHeld: false,
    delivery: isUnasked(draft) ? NO_ANSWER : isFailed(draft) ? draft.delivery : QUEUED,
  }));
}
