/*
 * A draft's life. "Ready" means: socket open, its replay read, an agent known.
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
import type { Draft, Outbox, OutboxContext } from './outbox-state.ts';

/** Counted from the first send. Source: DEL-4. */
const RESEND_AFTER_MS = [5_000, 10_000, 20_000] as const;
const GIVE_UP_AFTER_MS = 35_000;
/** Source: DEL-5. */
const WAIT_FOR_SOCKET_MS = 15_000;
/** Without resends. Source: DEL-6. */
const ANSWER_WITHIN_MS = 10_000;

export const NO_ANSWER: DeliveryStatus = { status: 'failed', reason: 'no_answer', isRetryable: true };
export const REFUSED: DeliveryStatus = { status: 'failed', reason: 'refused', isRetryable: true };
export const MALFORMED: DeliveryStatus = { status: 'failed', reason: 'refused', isRetryable: false };
export const TOO_LONG: DeliveryStatus = { status: 'failed', reason: 'too_long', isRetryable: false };
const CHAT_ENDED: DeliveryStatus = { status: 'failed', reason: 'chat_ended', isRetryable: false };

const settle = (draft: Draft, delivery: DeliveryStatus): Draft => ({
  ...draft,
  delivery,
  waitsForAgentSinceMs: null,
});

const isUnderWay = ({ delivery }: Draft): boolean =>
  delivery.status === 'queued' || delivery.status === 'pending';

/** A new message, queued. */
export function createDraft(localId: string, text: string, afterSequence: number, nowMs: number): Draft {
  return {
    localId,
    text,
    createdAtMs: nowMs,
    afterSequence,
    delivery: { status: 'queued' },
    firstSentAtMs: null,
    sentOnLink: null,
    resends: 0,
    waitsForAgentSinceMs: null,
  };
}

/** When a pending draft is due again; null when no resend is left. */
const resendAtMs = (draft: Draft): number | null => {
  const delayMs = RESEND_AFTER_MS[draft.resends];
  return delayMs === undefined || draft.firstSentAtMs === null ? null : draft.firstSentAtMs + delayMs;
};

type Verdict = 'send' | 'keep' | DeliveryStatus;

function judgeQueued(draft: Draft, context: OutboxContext): Verdict {
  if (context.maxFrameBytes > 0 && context.frameBytes(draft) > context.maxFrameBytes) return TOO_LONG;
  if (context.isReady) return 'send';
  const hasWaited = context.nowMs - draft.createdAtMs >= WAIT_FOR_SOCKET_MS;
  return !context.canResend && context.link === null && hasWaited ? NO_ANSWER : 'keep';
}

function judgePending(draft: Draft, context: OutboxContext): Verdict {
  const { nowMs } = context;
  const firstSentAtMs = draft.firstSentAtMs ?? nowMs;
  if (draft.waitsForAgentSinceMs !== null) {
    return nowMs - draft.waitsForAgentSinceMs >= GIVE_UP_AFTER_MS ? NO_ANSWER : 'keep';
  }
  const isOnNewerLink = draft.sentOnLink !== context.link;
  if (!context.canResend) {
    if (isOnNewerLink) return context.isReplayRead ? NO_ANSWER : 'keep';
    return nowMs - firstSentAtMs >= ANSWER_WITHIN_MS ? NO_ANSWER : 'keep';
  }
  // A draft of an earlier page has no send time that means anything here: first ask the replay.
  if (draft.sentOnLink === null) return context.isReady ? 'send' : 'keep';
  if (nowMs - firstSentAtMs >= GIVE_UP_AFTER_MS) return NO_ANSWER;
  const dueAtMs = resendAtMs(draft);
  if (context.isReady && (isOnNewerLink || (dueAtMs !== null && nowMs >= dueAtMs))) return 'send';
  const hasWaited = dueAtMs !== null && context.link === null && nowMs - dueAtMs >= WAIT_FOR_SOCKET_MS;
  return hasWaited ? NO_ANSWER : 'keep';
}

function send(draft: Draft, { nowMs, link }: OutboxContext): Draft {
  const isFirst = draft.firstSentAtMs === null || draft.sentOnLink === null;
  const elapsedMs = nowMs - (draft.firstSentAtMs ?? nowMs);
  // A resend that comes late stands for all that were due by now, instead of a burst of them.
  const due = RESEND_AFTER_MS.filter((afterMs) => afterMs <= elapsedMs).length;
  return {
    ...draft,
    delivery: { status: 'pending' },
    firstSentAtMs: isFirst ? nowMs : draft.firstSentAtMs,
    sentOnLink: link,
    resends: isFirst ? 0 : Math.max(draft.resends + 1, due),
  };
}

/** Sends what is due and fails what has waited too long. `sends` are to be written in this order. */
export function advanceOutbox(
  outbox: Outbox,
  context: OutboxContext,
): { readonly outbox: Outbox; readonly sends: readonly Draft[] } {
  const sends: Draft[] = [];
  let hasChanged = false;
  const next = outbox.map((draft) => {
    if (!isUnderWay(draft)) return draft;
    const verdict =
      draft.delivery.status === 'queued' ? judgeQueued(draft, context) : judgePending(draft, context);
    if (verdict === 'keep') return draft;
    hasChanged = true;
    if (verdict !== 'send') return settle(draft, verdict);
    const sent = send(draft, context);
    sends.push(sent);
    return sent;
  });
  return { outbox: hasChanged ? next : outbox, sends };
}

/** The next moment at which `advanceOutbox` may have something to do by the clock alone; null for none. */
export function outboxDeadlineMs(outbox: Outbox, context: OutboxContext): number | null {
  let next: number | null = null;
  const consider = (atMs: number): void => {
    if (atMs > context.nowMs && (next === null || atMs < next)) next = atMs;
  };
  for (const draft of outbox) {
    if (draft.delivery.status === 'queued' && !context.canResend) {
      consider(draft.createdAtMs + WAIT_FOR_SOCKET_MS);
    }
    if (draft.delivery.status !== 'pending') continue;
    if (draft.waitsForAgentSinceMs !== null) consider(draft.waitsForAgentSinceMs + GIVE_UP_AFTER_MS);
    if (draft.firstSentAtMs === null) continue;
    if (!context.canResend) {
      consider(draft.firstSentAtMs + ANSWER_WITHIN_MS);
      continue;
    }
    const dueAtMs = resendAtMs(draft);
    if (dueAtMs !== null) consider(context.link === null ? dueAtMs + WAIT_FOR_SOCKET_MS : dueAtMs);
    consider(draft.firstSentAtMs + GIVE_UP_AFTER_MS);
  }
  return next;
}

/** The draft an echo belongs to. Source: DEL-2. */
export function findEchoedDraft(
  outbox: Outbox,
  echo: { readonly clientEventId: string | null; readonly text: string; readonly sequence: number | null },
): Draft | null {
  const { clientEventId, text, sequence } = echo;
  if (clientEventId !== null) return outbox.find(({ localId }) => localId === clientEventId) ?? null;
  const isLater = (draft: Draft): boolean => sequence === null || sequence > draft.afterSequence;
  return (
    outbox.find((draft) => draft.delivery.status === 'pending' && draft.text === text && isLater(draft)) ??
    null
  );
}

const mapDraft = (outbox: Outbox, localId: string, change: (draft: Draft) => Draft): Outbox =>
  outbox.map((draft) => (draft.localId === localId ? change(draft) : draft));

/** The platform stored it. */
export function confirmDraft(outbox: Outbox, localId: string): Outbox {
  return mapDraft(outbox, localId, (draft) => settle(draft, { status: 'sent' }));
}

/** The platform refused it; only a draft under way can fail. Source: SYS-4. */
export function failDraft(outbox: Outbox, localId: string, delivery: DeliveryStatus): Outbox {
  return mapDraft(outbox, localId, (draft) => (isUnderWay(draft) ? settle(draft, delivery) : draft));
}

/** Auto-recovery is about to mend the refusal. Source: SYS-4. */
export function holdDraft(outbox: Outbox, localId: string, nowMs: number): Outbox {
  return mapDraft(outbox, localId, (draft) =>
    isUnderWay(draft) ? { ...draft, waitsForAgentSinceMs: nowMs } : draft,
  );
}

/** The agent is back: what waited goes out as if for the first time. */
export function releaseDrafts(outbox: Outbox): Outbox {
  return outbox.map((draft) =>
    draft.waitsForAgentSinceMs === null
      ? draft
      : {
          ...draft,
          delivery: { status: 'queued' },
          waitsForAgentSinceMs: null,
          firstSentAtMs: null,
          resends: 0,
        },
  );
}

/** Recovery gave up. */
export function refuseHeldDrafts(outbox: Outbox): Outbox {
  return outbox.map((draft) => (draft.waitsForAgentSinceMs === null ? draft : settle(draft, REFUSED)));
}

/** The chat is over: nothing under way will arrive. Source: DEL-3. */
export function endOutbox(outbox: Outbox): Outbox {
  return outbox.some(isUnderWay)
    ? outbox.map((draft) => (isUnderWay(draft) ? settle(draft, CHAT_ENDED) : draft))
    : outbox;
}

/** The visitor's unconfirmed words, for another session: what was under way starts over, what failed stays failed. */
export function carryOver(outbox: Outbox): Outbox {
  return outbox
    .filter(({ delivery }) => delivery.status !== 'sent')
    .map((draft) => ({
      ...createDraft(draft.localId, draft.text, 0, draft.createdAtMs),
      delivery: isUnderWay(draft) ? { status: 'queued' } : draft.delivery,
    }));
}
