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
import type { DeliveryStatus } from '../chat-state.ts';
import { type Draft, isFailed, isUnconfirmed, type Outbox, type OutboxContext } from './outbox-state.ts';

/** Counted from the first send. Source: DEL-4. */
const RESEND_AFTER_MS = [5_000, 10_000, 20_000] as const;
const GIVE_UP_AFTER_MS = 35_000;
/** Source: DEL-5. */
const WAIT_FOR_SOCKET_MS = 15_000;
/** Without resends. Source: DEL-6. */
const ANSWER_WITHIN_MS = 10_000;
/** Every pause after the first send that can be the last: resends, and what a resend waits for a socket. */
const LOOK_AFTER_MS = [5_000, 10_000, 20_000, 25_000, GIVE_UP_AFTER_MS] as const;

const QUEUED: DeliveryStatus = { status: 'queued' };
export const PENDING: DeliveryStatus = { status: 'pending' };
export const NO_ANSWER: DeliveryStatus = { status: 'failed', reason: 'no_answer', isRetryable: true };
export const REFUSED: DeliveryStatus = { status: 'failed', reason: 'refused', isRetryable: true };
export const MALFORMED: DeliveryStatus = { status: 'failed', reason: 'refused', isRetryable: false };
export const TOO_LONG: DeliveryStatus = { status: 'failed', reason: 'too_long', isRetryable: false };
const CHAT_ENDED: DeliveryStatus = { status: 'failed', reason: 'chat_ended', isRetryable: false };

const isUnderWay = (draft: Draft): boolean => isUnconfirmed(draft) && !isFailed(draft);

const isHeld = ({ waitsForAgentSinceMs }: Draft): boolean => waitsForAgentSinceMs !== null;

/** A new message, queued. */
export function createDraft(localId: string, text: string, afterSequence: number, nowMs: number): Draft {
  return {
    localId,
    text,
    createdAtMs: nowMs,
    afterSequence,
    delivery: QUEUED,
    firstSentAtMs: null,
    sentOnLink: null,
    resends: 0,
    waitsForAgentSinceMs: null,
  };
}

/** To be sent now, to be settled, or null to be left as it is. */
type Verdict = 'send' | DeliveryStatus | null;

function judgeQueued(draft: Draft, context: OutboxContext): Verdict {
  if (context.maxFrameBytes > 0 && context.frameBytes(draft) > context.maxFrameBytes) return TOO_LONG;
  if (context.isReady) return 'send';
  const hasWaited = context.nowMs - draft.createdAtMs >= WAIT_FOR_SOCKET_MS;
  return !context.canResend && context.link === null && hasWaited ? NO_ANSWER : null;
}

function judgePending(
  draft: Draft,
  { nowMs, link, canResend, isReady, isReplayRead }: OutboxContext,
): Verdict {
  const { firstSentAtMs, sentOnLink, resends, waitsForAgentSinceMs } = draft;
  const elapsedMs = nowMs - (waitsForAgentSinceMs ?? firstSentAtMs ?? nowMs);
  const isGivenUp = elapsedMs >= GIVE_UP_AFTER_MS;
  if (isHeld(draft)) return isGivenUp ? NO_ANSWER : null;
  const isOnNewerLink = sentOnLink === null || sentOnLink !== link;
  if (!canResend) return (isOnNewerLink ? isReplayRead : elapsedMs >= ANSWER_WITHIN_MS) ? NO_ANSWER : null;
  // A draft of an earlier page has no send time that means anything here: first ask the replay.
  if (sentOnLink === null) return isReady ? 'send' : null;
  if (isGivenUp) return NO_ANSWER;
  const overdueMs = elapsedMs - (RESEND_AFTER_MS[resends] ?? Infinity);
  if (isReady && (isOnNewerLink || overdueMs >= 0)) return 'send';
  return link === null && overdueMs >= WAIT_FOR_SOCKET_MS ? NO_ANSWER : null;
}

function send(draft: Draft, { nowMs, link }: OutboxContext): Draft {
  const { firstSentAtMs, sentOnLink, resends } = draft;
  const sent: Draft = { ...draft, delivery: PENDING, sentOnLink: link };
  if (firstSentAtMs === null || sentOnLink === null) return { ...sent, firstSentAtMs: nowMs, resends: 0 };
  // A resend that comes late stands for all that were due by now, instead of a burst of them.
  const due = RESEND_AFTER_MS.filter((afterMs) => afterMs <= nowMs - firstSentAtMs).length;
  return { ...sent, resends: Math.max(resends + 1, due) };
}

const settle = (draft: Draft, delivery: DeliveryStatus): Draft => ({
  ...draft,
  delivery,
  waitsForAgentSinceMs: null,
});

/**
 * Sends what is due and fails what has waited too long. A draft waits until the one before it is settled: were
 * both under way and the first dropped, for its rate or with its socket, the log would hold them the other way
 * round for ever. `sends` are to be written in this order.
 */
export function advanceOutbox(
  outbox: Outbox,
  context: OutboxContext,
): { readonly outbox: Outbox; readonly sends: readonly Draft[] } {
  const sends: Draft[] = [];
  let isFirst = true;
  const next = change(outbox, isUnderWay, (draft) => {
    const verdict =
      draft.delivery.status === 'queued' ? judgeQueued(draft, context) : judgePending(draft, context);
    if (verdict && verdict !== 'send') return settle(draft, verdict);
    const isDue = isFirst && verdict;
    isFirst = false;
    if (!isDue) return draft;
    const sent = send(draft, context);
    sends.push(sent);
    return sent;
  });
  return { outbox: next, sends };
}

/** The next moment at which `advanceOutbox` may have something to do by the clock alone; infinite for none. */
export function outboxDeadlineMs(outbox: Outbox, { nowMs }: Pick<OutboxContext, 'nowMs'>): number {
  const moments = outbox.filter(isUnderWay).flatMap((draft) => {
    const { createdAtMs, firstSentAtMs, waitsForAgentSinceMs } = draft;
    const startMs = waitsForAgentSinceMs ?? firstSentAtMs;
    return startMs === null
      ? createdAtMs + WAIT_FOR_SOCKET_MS
      : LOOK_AFTER_MS.map((afterMs) => startMs + afterMs);
  });
  return Math.min(...moments.filter((atMs) => atMs > nowMs));
}

/** The draft an echo belongs to. Source: DEL-2. */
export function findEchoedDraft(
  outbox: Outbox,
  echo: { readonly clientEventId: string | null; readonly text: string; readonly sequence: number | null },
): Draft | null {
  const { clientEventId, text, sequence } = echo;
  const isMeant = (draft: Draft): boolean =>
    clientEventId === null
      ? draft.delivery.status === 'pending' &&
        draft.text === text &&
        (sequence ?? Infinity) > draft.afterSequence
      : draft.localId === clientEventId;
  return outbox.find(isMeant) ?? null;
}

/** Changes some drafts; the outbox stays the same object when none of them does. */
function change(outbox: Outbox, isMeant: (draft: Draft) => boolean, toNext: (draft: Draft) => Draft): Outbox {
  const next = outbox.map((draft) => (isMeant(draft) ? toNext(draft) : draft));
  return next.every((draft, index) => draft === outbox[index]) ? outbox : next;
}

/** The platform stored it. */
export function confirmDraft(outbox: Outbox, id: string): Outbox {
  return change(
    outbox,
    ({ localId }) => localId === id,
    (draft) => settle(draft, { status: 'sent' }),
  );
}

const isNamed =
  (id: string) =>
  (draft: Draft): boolean =>
    draft.localId === id && isUnderWay(draft);

/** The platform refused it; only a draft under way can fail. Source: SYS-4. */
export function failDraft(outbox: Outbox, id: string, delivery: DeliveryStatus): Outbox {
  return change(outbox, isNamed(id), (draft) => settle(draft, delivery));
}

/** Auto-recovery is about to mend the refusal. Source: SYS-4. */
export function holdDraft(outbox: Outbox, id: string, nowMs: number): Outbox {
  return change(outbox, isNamed(id), (draft) => ({ ...draft, waitsForAgentSinceMs: nowMs }));
}

/** The agent is back: what waited goes out as if for the first time. */
export function releaseDrafts(outbox: Outbox): Outbox {
  return change(outbox, isHeld, (draft) => ({ ...settle(draft, QUEUED), firstSentAtMs: null, resends: 0 }));
}

/** Recovery gave up. */
export function refuseHeldDrafts(outbox: Outbox): Outbox {
  return change(outbox, isHeld, (draft) => settle(draft, REFUSED));
}

/** The chat is over: nothing under way will arrive. Source: DEL-3. */
export function endOutbox(outbox: Outbox): Outbox {
  return change(outbox, isUnderWay, (draft) => settle(draft, CHAT_ENDED));
}

/**
 * The visitor's unconfirmed words, for another session: what was under way starts over, what failed stays failed,
 * and what `isUnasked` names waits until the visitor tries it again.
 */
export function carryOver(outbox: Outbox, isUnasked: (draft: Draft) => boolean): Outbox {
  return outbox.filter(isUnconfirmed).map((draft) => ({
    ...createDraft(draft.localId, draft.text, 0, draft.createdAtMs),
    custom: draft.custom,
    delivery: isUnasked(draft) ? NO_ANSWER : isFailed(draft) ? draft.delivery : QUEUED,
  }));
}
