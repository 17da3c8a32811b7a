import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Person } from '../staff/people.ts';
import { type Board, settleBoard, stepRequest } from './board.ts';
import { estimateWaitSeconds } from './estimate-wait.ts';
import { fillReply } from './fill-reply.ts';
import { canAnswer, DECLINED_REST_MS } from './plan-offers.ts';
import { chooseQueue, isQueueOpen, type Queue } from './queues.ts';
import type { DeskRequest } from './requests.ts';

const NOW = 1_000_000;

const queueOf = (id: string, fields: Partial<Queue> = {}): Queue => ({
  ...{ id, accountId: 'a', name: id, skills: [], languages: [] },
  ...{ hours: null, timezone: 'UTC', closedText: null, ...fields },
});
const personOf = (id: string, fields: Partial<Person> = {}): Person => ({
  ...{ id, accountId: 'a', email: `${id}@example.com`, name: id, role: 'agent', passwordHash: '' },
  ...{ capacity: 1, skills: [], languages: [], presence: 'available', seenAtMs: NOW, offeredAtMs: 0 },
  disabledAtMs: null,
  ...{ queueIds: ['q'], ...fields },
});
const requestOf = (id: string, fields: Partial<DeskRequest> = {}): DeskRequest => ({
  ...{
    id,
    accountId: 'a',
    projectId: 'p',
    sessionId: 's',
    conversationId: 'c',
    provider: 'desk',
    queueId: 'q',
  },
  ...{ status: 'waiting', personId: null, wantedPersonId: null, declined: {}, skills: [], language: null },
  ...{ reason: 'POLICY', requestedAtMs: 0, offerExpiresAtMs: null, acceptedAtMs: null, endedAtMs: null },
  ...{ endReason: null, offerMs: 30_000, returnMs: 120_000, position: null, estimatedWaitSeconds: null },
  ...{ unread: 0, seenMessageId: null, leftAtMs: null, tags: [], version: 0, pending: [], ...fields },
});
const boardOf = (fields: Partial<Board>): Board => ({
  ...{ requests: [], people: [], queues: [queueOf('q')], handlingMs: new Map(), strayIds: [], ...fields },
});
const outcome = (board: Board, nowMs = NOW): readonly unknown[] =>
  settleBoard(board, nowMs).map(({ status, personId }) => [status, personId]);

describe('a desk', () => {
  it('offers the oldest request to the least busy person', () => {
    const busy = requestOf('r0', { status: 'accepted', personId: 'ada' });
    const people = [personOf('ada', { capacity: 2 }), personOf('ben', { offeredAtMs: 5 }), personOf('cem')];
    const requests = [busy, requestOf('r1', { requestedAtMs: 1 }), requestOf('r2', { requestedAtMs: 2 })];
    expect(outcome(boardOf({ requests, people }))).toEqual([
      ['accepted', 'ada'],
      ['offered', 'cem'],
      ['offered', 'ben'],
    ]);
  });

  it('passes an offer on when it was not answered or its person has left', () => {
    const people = [personOf('ada'), personOf('ben')];
    const offered = requestOf('r', { status: 'offered', personId: 'ada', offerExpiresAtMs: NOW });
    expect(outcome(boardOf({ requests: [offered], people }), NOW - 1)).toEqual([['offered', 'ada']]);
    expect(outcome(boardOf({ requests: [offered], people }))).toEqual([['offered', 'ben']]);
    const gone = [personOf('ada', { seenAtMs: NOW - 30_000 }), personOf('ben')];
    const fresh = { ...offered, offerExpiresAtMs: NOW + 30_000 };
    expect(outcome(boardOf({ requests: [fresh], people: gone }))).toEqual([['offered', 'ben']]);
  });

  it('offers a declined request to the same person again after a while', () => {
    const declined = requestOf('r', { declined: { ada: NOW } });
    const board = boardOf({
      requests: [declined],
      people: [personOf('ada', { seenAtMs: NOW + DECLINED_REST_MS })],
    });
    expect(outcome(board)).toEqual([['waiting', null]]);
    expect(outcome(board, NOW + DECLINED_REST_MS)).toEqual([['offered', 'ada']]);
  });

  it('keeps a conversation for an absent person for a while, then returns it to its old place in the queue', () => {
    const accepted = requestOf('r', { status: 'accepted', personId: 'ada', acceptedAtMs: 5 });
    const later = requestOf('later', { requestedAtMs: 9 });
    const away = personOf('ada', { seenAtMs: NOW - 119_999 });
    const requests = [accepted, later];
    expect(outcome(boardOf({ requests, people: [away] }))).toEqual([
      ['accepted', 'ada'],
      ['waiting', null],
    ]);
    const [back, behind] = settleBoard(boardOf({ requests, people: [away] }), NOW + 1);
    expect([back?.status, back?.position, behind?.position]).toEqual(['waiting', 1, 2]);
    expect(back?.pending.map(({ event }) => event)).toMatchObject([
      { type: 'left', next: 'wait', reason: 'away' },
      { type: 'accepted' },
      { type: 'queue', position_in_queue: 1 },
    ]);
  });

  it('names the person a conversation is transferred to, and gives it no queue place before they decline it', () => {
    const people = [personOf('ada'), personOf('ben', { name: 'Ben' })];
    const accepted = requestOf('r', { status: 'accepted', personId: 'ada', acceptedAtMs: 5 });
    const board = boardOf({ requests: [accepted], people });
    const step = { type: 'transfer', queueId: 'q', toPersonId: 'ben' } as const;
    const passed = stepRequest(board, accepted, step, NOW) ?? accepted;
    const [asked] = settleBoard({ ...board, requests: [passed] }, NOW);
    expect([asked?.status, asked?.personId, asked?.position]).toEqual(['offered', 'ben', null]);
    expect(asked?.pending.map(({ event }) => event)).toMatchObject([
      { type: 'left', next: 'wait', reason: 'transferred', next_name: 'Ben' },
    ]);
    const declined = stepRequest(board, asked ?? passed, { type: 'decline', personId: 'ben' }, NOW);
    const [waits] = settleBoard({ ...board, requests: [{ ...(declined ?? passed), pending: [] }] }, NOW);
    expect(waits?.pending.map(({ event }) => event)).toMatchObject([
      { type: 'accepted' },
      { type: 'queue', position_in_queue: 1 },
    ]);
  });

  it('takes back the offers and conversations of a disabled person at once', () => {
    const people = [personOf('ada', { disabledAtMs: NOW }), personOf('ben', { capacity: 2 })];
    const accepted = requestOf('r', { status: 'accepted', personId: 'ada', acceptedAtMs: 5 });
    const offered = requestOf('s', { status: 'offered', personId: 'ada', offerExpiresAtMs: NOW + 9 });
    expect(outcome(boardOf({ requests: [accepted, offered], people }))).toEqual([
      ['offered', 'ben'],
      ['offered', 'ben'],
    ]);
  });

  it('closes a request whose session has ended, without an event', () => {
    const stray = requestOf('r', { pending: [{ id: 'x', event: { type: 'accepted', queue_name: 'q' } }] });
    const [closed] = settleBoard(boardOf({ requests: [stray], strayIds: ['r'] }), NOW);
    expect([closed?.status, closed?.pending]).toEqual(['abandoned', []]);
  });

  it('never exceeds a person’s capacity, picks no unavailable one, and leaves no one idle while requests wait', () => {
    const skills = fc.subarray(['tax', 'refund']);
    const anyPerson = fc.record({ capacity: fc.integer({ min: 1, max: 3 }), skills, isThere: fc.boolean() });
    const anyRequest = fc.record({ skills, requestedAtMs: fc.integer({ min: 0, max: 50 }) });
    fc.assert(
      fc.property(fc.array(anyPerson, { maxLength: 4 }), fc.array(anyRequest, { maxLength: 8 }), (p, r) => {
        const people = p.map(({ isThere, ...fields }, index) =>
          personOf(`p${index}`, { ...fields, presence: isThere ? 'available' : 'away' }),
        );
        const requests = r.map((fields, index) => requestOf(`r${index}`, fields));
        const settled = settleBoard(boardOf({ people, requests }), NOW);
        const loadOf = ({ id }: Person): number => settled.filter(({ personId }) => personId === id).length;
        const toPlanned = (person: Person) => ({ ...person, isThere: true, load: loadOf(person) });
        for (const person of people) {
          expect(loadOf(person)).toBeLessThanOrEqual(person.presence === 'available' ? person.capacity : 0);
          const isFree = person.presence === 'available' && loadOf(person) < person.capacity;
          for (const request of settled) {
            if (request.personId === person.id) expect(canAnswer(toPlanned(person), request)).toBe(true);
            if (isFree && request.status === 'waiting')
              expect(canAnswer(toPlanned(person), request)).toBe(false);
          }
        }
        // Settling a second time changes nothing.
        expect(settleBoard(boardOf({ people, requests: settled }), NOW)).toEqual(settled);
      }),
    );
  });

  it('computes queue places and estimates from real handling times', () => {
    const handlingMs = new Map([['q', [120_000, 60_000]]]);
    const people = [personOf('ada', { capacity: 1 })];
    const requests = [
      requestOf('r0', { status: 'accepted', personId: 'ada' }),
      requestOf('r1', { requestedAtMs: 1 }),
      requestOf('r2', { requestedAtMs: 2 }),
    ];
    const settled = settleBoard(boardOf({ requests, people, handlingMs }), NOW);
    expect(settled.map(({ position, estimatedWaitSeconds }) => [position, estimatedWaitSeconds])).toEqual([
      [null, null],
      [1, 90],
      [2, 180],
    ]);
    expect(estimateWaitSeconds({ position: 1, handlingMs: [], seats: 1 })).toBeNull();
    expect(estimateWaitSeconds({ position: 1, handlingMs: [1_000], seats: 0 })).toBeNull();
  });
});

describe('a queue', () => {
  it("chooses the named queue, preferring the conversation's language", () => {
    const queues = [
      queueOf('general'),
      queueOf('billing-fr', { name: 'Billing', languages: ['fr'] }),
      queueOf('billing-en', { name: 'billing', languages: ['en'] }),
    ];
    expect(chooseQueue(queues, [null, 'BILLING'], 'en-GB')?.id).toBe('billing-en');
    expect(chooseQueue(queues, ['Billing'], 'fr')?.id).toBe('billing-fr');
    expect(chooseQueue(queues, ['Billing'], 'de')?.id).toBe('general');
    expect(chooseQueue(queues, ['none'], null)?.id).toBe('general');
    expect(chooseQueue([], ['none'], null)).toBeNull();
  });

  it('opens a queue in its hours and time zone, even past midnight', () => {
    const queue = queueOf('q', {
      hours: 'Mo-Fr 09:00-17:00; Sa 22:00-02:00; Dec 25 off',
      timezone: 'Europe/Berlin',
    });
    const isOpen = (iso: string): boolean => isQueueOpen(queue, Date.parse(iso));
    expect(isOpen('2026-07-13T07:00:00Z')).toBe(true);
    expect(isOpen('2026-07-13T06:59:00Z')).toBe(false);
    expect(isOpen('2026-07-13T15:00:00Z')).toBe(false);
    expect(isOpen('2026-12-14T08:00:00Z')).toBe(true);
    expect(isOpen('2026-07-18T21:00:00Z')).toBe(true);
    expect(isOpen('2026-07-18T23:59:00Z')).toBe(true);
    expect(isOpen('2026-07-19T00:00:00Z')).toBe(false);
    expect(isOpen('2026-12-25T08:00:00Z')).toBe(false);
    expect(isQueueOpen({ ...queue, hours: null }, Date.parse('2026-12-25T08:00:00Z'))).toBe(true);
  });
});

it('fills in a canned reply, and omits unknown values', () => {
  const values = { person: 'Grace', page: { first_name: 'Ana' }, state: { order: { id: 7 } }, handoff: {} };
  expect(fillReply('Hello {{page.first_name|there}}, I am {{ person }}: {{state.order.id}}', values)).toBe(
    'Hello Ana, I am Grace: 7',
  );
  expect(fillReply('Hello {{page.name|there}}{{state.constructor}}', values)).toBe('Hello there');
});

it('fills in the short names of visitor and person, and leaves other braces', () => {
  const values = { person: 'Grace', page: { name: 'Ana' }, state: {}, handoff: {} };
  expect(fillReply('Hello {name}, I am { agent }.', values)).toBe('Hello Ana, I am Grace.');
  expect(fillReply('Hello {name|there}!', { ...values, page: {} })).toBe('Hello there!');
  expect(fillReply('Hello {name}!', { ...values, page: {} })).toBe('Hello!');
  expect(fillReply('{other} {{name}} {}', values)).toBe('{other} {{name}} {}');
});

it('removes the space before an unknown or blank value', () => {
  const values = { person: 'Grace', page: { first_name: ' ' }, state: {}, handoff: {} };
  const text = 'Hello {{page.first_name}}, I am {{person}}. Your order {{ state.order.id }} is here.';
  expect(fillReply(text, values)).toBe('Hello, I am Grace. Your order is here.');
  expect(fillReply('Hello {{page.first_name|there}}.', values)).toBe('Hello there.');
});

describe('a visitor who has closed the page', () => {
  const left = (id: string, sinceMs: number, fields: Partial<DeskRequest> = {}) =>
    requestOf(id, { leftAtMs: NOW - sinceMs, ...fields });
  const places = (requests: readonly DeskRequest[]) =>
    settleBoard(boardOf({ requests }), NOW).map(({ id, position }) => [id, position]);

  it('puts absent visitors behind present ones and removes their queue place, after the time of a reload', () => {
    const requests = [left('gone', 10_000), left('reloads', 9_999), requestOf('here')];
    expect(places(requests)).toEqual([
      ['gone', null],
      ['reloads', null],
      ['here', 2],
    ]);
    const board = boardOf({ requests: [left('gone', 10_000), requestOf('here', { requestedAtMs: 5 })] });
    expect(outcome({ ...board, people: [personOf('ada')] })).toEqual([
      ['waiting', null],
      ['offered', 'ada'],
    ]);
  });

  it("withdraws an absent visitor's request after three minutes, unless a person has the conversation", () => {
    const requests = [
      left('gone', 180_000),
      left('with ada', 180_000, { status: 'accepted', personId: 'ada', acceptedAtMs: 5 }),
    ];
    const settled = settleBoard(boardOf({ requests, people: [personOf('ada')] }), NOW);
    expect(settled.map(({ status, endReason }) => [status, endReason])).toEqual([
      ['abandoned', 'visitor_left'],
      ['accepted', null],
    ]);
    expect(settled[0]?.pending).toMatchObject([{ event: { type: 'failed', reason: 'visitor_left' } }]);
  });
});
