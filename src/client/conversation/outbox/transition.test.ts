import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Draft, type Outbox, type OutboxContext, textOf } from './outbox-state.ts';
import {
  advanceOutbox,
  CHAT_ENDED,
  createDraft,
  findEchoedDraft,
  isHeld,
  isInFlight,
  isNamed,
  moveToSession,
  NO_ANSWER,
  outboxMoments,
  pauseDraft,
  REFUSED,
  releaseDrafts,
  SENT,
  settleDrafts,
} from './transition.ts';

const context = (nowMs: number, more: Partial<OutboxContext> = {}): OutboxContext => ({
  nowMs,
  isOver: false,
  connectionNumber: 1,
  isReplayRead: true,
  isReady: true,
  canResend: true,
  isTooLong: (draft) => textOf(draft).length > 1_000,
  ...more,
});
const down = { connectionNumber: null, isReplayRead: false, isReady: false } as const;
const replaying = (connectionNumber: number) =>
  ({ connectionNumber, isReplayRead: false, isReady: false }) as const;
const newDraft = (localId: string, text: string, afterSequence = 0): Draft =>
  createDraft({
    localId,
    event: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text }, custom: null },
    afterSequence,
    createdAtMs: 0,
  });
const draft = (text = 'hi'): Draft => newDraft('d1', text);
const confirmDraft = (outbox: Outbox, id: string) =>
  settleDrafts(outbox, ({ localId }) => localId === id, SENT);
const failDraft = (outbox: Outbox, id: string) => settleDrafts(outbox, isNamed(id), REFUSED);
const stateOf = (outbox: Outbox) => outbox.map(({ delivery }) => delivery);
const only = (outbox: Outbox): Draft => {
  const [first] = outbox;
  if (!first) throw new Error('The outbox is empty.');
  return first;
};

/** Runs the outbox along its own deadlines and records when a draft was sent or failed. */
function live(start: Outbox, until: number, at: (nowMs: number) => Partial<OutboxContext>): string[] {
  const log: string[] = [];
  let outbox = start;
  for (let nowMs = 0; nowMs <= until; nowMs += 500) {
    const before = only(outbox).delivery.status;
    const step = advanceOutbox(outbox, context(nowMs, at(nowMs)));
    outbox = step.outbox;
    if (step.sends.length > 0) log.push(`sent ${nowMs / 1000}`);
    const after = only(outbox).delivery;
    if (after.status === 'failed' && before !== 'failed') log.push(`${after.reason} ${nowMs / 1000}`);
  }
  return log;
}

describe('a platform that recognises repeated messages', () => {
  it('resends a message after 5, 10 and 20 s, and fails it after 35 s', () => {
    expect(live([draft()], 60_000, () => ({}))).toEqual([
      'sent 0',
      'sent 5',
      'sent 10',
      'sent 20',
      'no_answer 35',
    ]);
  });

  it("keeps a message's id through every resend", () => {
    const first = advanceOutbox([draft()], context(0));
    const second = advanceOutbox(first.outbox, context(5_000));
    expect([...first.sends, ...second.sends].map(({ localId }) => localId)).toEqual(['d1', 'd1']);
  });

  it('sends nothing while the replay is read, and at once when it lacks the echo', () => {
    const at = (nowMs: number) =>
      nowMs < 1_000 ? {} : nowMs < 2_000 ? down : nowMs < 3_000 ? replaying(2) : { connectionNumber: 2 };
    expect(live([draft()], 4_000, at)).toEqual(['sent 0', 'sent 3']);
  });

  it('fails a message whose resend has waited 15 s for a socket', () => {
    expect(live([draft()], 40_000, (nowMs) => (nowMs < 1_000 ? {} : down))).toEqual([
      'sent 0',
      'no_answer 20',
    ]);
  });

  it('sends a message written offline once, however long that lasted', () => {
    expect(live([draft()], 300_000, (nowMs) => (nowMs < 295_000 ? down : {}))).toEqual([
      'sent 295',
      'sent 300',
    ]);
  });

  it("sends an earlier page's message only after the replay, counting from then", () => {
    const kept: Draft = {
      ...draft(),
      delivery: { status: 'pending' },
      sinceMs: -100_000,
    };
    const at = (nowMs: number) => (nowMs < 2_000 ? replaying(1) : {});
    expect(live([kept], 9_000, at)).toEqual(['sent 2', 'sent 7']);
  });
});

describe('a platform that does not', () => {
  const once = { canResend: false } as const;

  it('sends a message once without ECH-4; it fails after 10 s without an answer', () => {
    expect(live([draft()], 60_000, () => once)).toEqual(['sent 0', 'no_answer 10']);
  });

  it('fails a message without ECH-4 when the replay after a reconnect lacks its echo', () => {
    const at = (nowMs: number) =>
      nowMs < 1_000
        ? once
        : nowMs < 40_000
          ? { ...once, ...down }
          : nowMs < 41_000
            ? { ...once, ...replaying(2) }
            : { ...once, connectionNumber: 2 };
    expect(live([draft()], 60_000, at)).toEqual(['sent 0', 'no_answer 41']);
  });

  it('fails a message without ECH-4 after 15 s without a socket', () => {
    expect(live([draft()], 60_000, () => ({ ...once, ...down }))).toEqual(['no_answer 15']);
  });
});

describe('several messages', () => {
  const written: Outbox = ['first', 'second', 'third'].map((text) => newDraft(text, text));
  const sentAt = (outbox: Outbox, nowMs: number, more: Partial<OutboxContext> = {}) =>
    advanceOutbox(outbox, context(nowMs, more)).sends.map(({ localId }) => localId);

  it('sends messages one after the other, so that a dropped one cannot be overtaken', () => {
    const { outbox, sends } = advanceOutbox(written, context(0));
    expect(sends.map(({ localId }) => localId)).toEqual(['first']);
    expect(stateOf(outbox).map(({ status }) => status)).toEqual(['pending', 'queued', 'queued']);
    expect(sentAt(outbox, 4_000)).toEqual([]);
    expect(sentAt(outbox, 5_000)).toEqual(['first']);
    expect(sentAt(confirmDraft(outbox, 'first'), 5_000)).toEqual(['second']);
    expect(sentAt(failDraft(outbox, 'first'), 5_000)).toEqual(['second']);
  });

  it("looks for an earlier page's messages in the replay, then sends them in order of writing", () => {
    const kept = written.map((each): Draft => ({ ...each, delivery: { status: 'pending' } }));
    expect(sentAt(kept, 0, replaying(1))).toEqual([]);
    expect(sentAt(confirmDraft(kept, 'first'), 0)).toEqual(['second']);
  });
});

describe('verdicts', () => {
  it('fails an over-long message at once, with or without a socket', () => {
    const { outbox, sends } = advanceOutbox([draft('x'.repeat(1_001))], context(0, down));
    expect(stateOf(outbox)).toEqual([{ status: 'failed', reason: 'too_long', isRetryable: false }]);
    expect(sends).toEqual([]);
  });

  it('accepts a late echo of a failed message', () => {
    const failed = failDraft(advanceOutbox([draft()], context(0)).outbox, 'd1');
    expect(only(failed).delivery.status).toBe('failed');
    expect(only(confirmDraft(failed, 'd1')).delivery.status).toBe('sent');
  });

  it('does not let an error fail confirmed messages', () => {
    expect(only(failDraft(confirmDraft([draft()], 'd1'), 'd1')).delivery.status).toBe('sent');
  });

  it('holds a message for the agent and sends it again, or fails it when recovery has failed', () => {
    const sent = advanceOutbox([draft()], context(0)).outbox;
    const held = pauseDraft(sent, 'd1', 1_000);
    expect(advanceOutbox(held, context(10_000)).sends).toEqual([]);
    expect(advanceOutbox(releaseDrafts(held), context(10_000)).sends).toHaveLength(1);
    expect(only(settleDrafts(held, isHeld, REFUSED)).delivery).toEqual(REFUSED);
    expect(only(advanceOutbox(held, context(36_000)).outbox).delivery.status).toBe('failed');
  });

  it('fails everything in flight when the chat ends', () => {
    expect(
      stateOf(settleDrafts([draft(), ...confirmDraft([draft()], 'd1')], isInFlight, CHAT_ENDED)).map(
        ({ status }) => status,
      ),
    ).toEqual(['failed', 'sent']);
  });

  it('moves unconfirmed messages to another session, and nothing else', () => {
    const pending = advanceOutbox([draft('pending')], context(0)).outbox;
    const failed = failDraft([draft('failed')], 'd1');
    const unasked = [draft('unasked'), ...settleDrafts([draft('unasked, too late')], isInFlight, CHAT_ENDED)];
    const outbox = [...pending, ...failed, ...unasked, ...confirmDraft([draft()], 'd1')];
    const kept = moveToSession(outbox, (one) => textOf(one).startsWith('unasked'));
    expect(kept.map((one) => [textOf(one), one.delivery])).toEqual([
      ['pending', { status: 'queued' }],
      ['failed', REFUSED],
      ['unasked', NO_ANSWER],
      ['unasked, too late', NO_ANSWER],
    ]);
  });
});

describe('matching an echo', () => {
  const echo = (text: string, sequence: number, name?: string) => ({
    payload: { text, message_id: 'm1' },
    sequence,
    custom: name === undefined ? null : { local_id: name },
  });
  const pendingAfter = (afterSequence: number): Outbox =>
    advanceOutbox([newDraft('d1', 'ok', afterSequence)], context(0)).outbox;

  it('matches an echo by id, even with another text', () => {
    expect(findEchoedDraft(pendingAfter(0), echo('OK', 5, 'd1'))?.localId).toBe('d1');
  });

  it('matches an echo without an id by text, only for an event after the draft', () => {
    expect(findEchoedDraft(pendingAfter(4), echo('ok', 5))?.localId).toBe('d1');
    expect(findEchoedDraft(pendingAfter(4), echo('ok', 3))).toBeUndefined();
    expect(findEchoedDraft(pendingAfter(4), echo('ok', 5, 'other'))).toBeUndefined();
    expect(findEchoedDraft(pendingAfter(4), { ...echo('ok', 5), sequence: null })?.localId).toBe('d1');
  });
});

describe('the deadline', () => {
  it('never misses a deadline: nothing changes before it', () => {
    const world = fc.record({
      canResend: fc.boolean(),
      connectionNumber: fc.constantFrom(1, 2, null),
      isReady: fc.boolean(),
      wasSent: fc.boolean(),
    });
    fc.assert(
      fc.property(world, fc.nat(40_000), fc.nat(40_000), (drawn, beginMs, gapMs) => {
        const { canResend, connectionNumber, isReady, wasSent } = drawn;
        const queued = [
          createDraft({
            localId: 'd1',
            event: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'hi' }, custom: null },
            afterSequence: 0,
            createdAtMs: beginMs,
          }),
        ];
        const begun = wasSent ? advanceOutbox(queued, context(beginMs, { canResend })).outbox : queued;
        const isUp = connectionNumber !== null;
        const more = { canResend, connectionNumber, isReady: isUp && isReady, isReplayRead: isUp && isReady };
        const nowMs = beginMs + gapMs;
        const now = advanceOutbox(begun, context(nowMs, more)).outbox;
        const due = outboxMoments(now).filter((atMs) => atMs > nowMs);
        const before = Math.min(...due, nowMs + 100_000) - 1;
        if (before > nowMs) {
          const step = advanceOutbox(now, context(before, more));
          expect(step).toEqual({ outbox: now, sends: [] });
        }
      }),
      // Every pause counts for itself where nothing else is due.
      {
        examples: [[{ canResend: false, connectionNumber: null, isReady: false, wasSent: false }, 0, 10_000]],
      },
    );
  });
});
