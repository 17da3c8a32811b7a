import { describe, expect, it } from 'vitest';
import { checkInvariants, type Evidence } from './invariants.ts';
import type { LoggedEvent, SessionLog } from './platform/platform-messages.ts';
import { findLogFaults } from './read-log.ts';
import { formatReport, quantile } from './report.ts';
import type { ShownItem, TabTrace, TabView } from './tabs/soak-tab.ts';

const event = (sequence: number, type: string, more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  id: `e${sequence}`,
  sequence,
  type: `EVENT_TYPE_${type}`,
  payload: {},
  clientEventId: null,
  ...more,
});
const said = (sequence: number, text: string, index = 1, messageId = 'm'): LoggedEvent =>
  event(sequence, 'AGENT_MESSAGE_CHUNK', {
    payload: { message_id: messageId, chunk_index: index, text, is_complete: false },
  });
const wrote = (sequence: number, text: string, clientEventId: string): LoggedEvent =>
  event(sequence, 'USER_MESSAGE', { payload: { text, message_id: `u${sequence}` }, clientEventId });
const user = (text: string, localId: string | null, status: ShownItem['status'] = 'sent'): ShownItem => ({
  author: 'user',
  text,
  status,
  localId,
  isStreaming: false,
});
const agent = (text: string, isStreaming = false): ShownItem => ({
  author: 'agent',
  text,
  status: 'said',
  localId: null,
  isStreaming,
});

const EVENTS = [
  event(1, 'SESSION_START'),
  wrote(2, 'a', 'd1'),
  said(3, 'You '),
  said(4, 'said a', 2),
  wrote(5, 'b', 'd2'),
];
const ITEMS = [user('a', 'd1'), agent('You said a'), user('b', 'd2')];

interface Change {
  readonly items?: readonly ShownItem[];
  readonly events?: readonly LoggedEvent[];
  readonly view?: Partial<TabView>;
  readonly trace?: Partial<TabTrace>;
  readonly log?: Partial<SessionLog>;
  readonly output?: readonly string[];
}

/** A tab that shows everything, with the given differences. */
function evidence({ items = ITEMS, events = EVENTS, view, trace, log, output = [] }: Change = {}): Evidence {
  return {
    sent: [
      { tab: 0, localId: 'd1', text: 'a' },
      { tab: 0, localId: 'd2', text: 'b' },
    ],
    tabs: [
      {
        view: { connection: 'open', session: 'active', isTyping: false, items, ...view },
        trace: {
          sessionIds: ['s'],
          secrets: ['secret-token'],
          acknowledged: ['d1', 'd2'],
          frames: ['1 in {}'],
          renewals: 0,
          lateCalls: 0,
          ...trace,
        },
      },
    ],
    logs: [{ sessionId: 's', events, unfinishedTurns: 0, ...log }],
    output,
  };
}

const brokenBy = (change: Change): readonly string[] => [
  ...new Set(checkInvariants(evidence(change)).map(({ invariant }) => invariant)),
];

describe('the checks', () => {
  it('the checks find nothing in a correct run', () => {
    expect(checkInvariants(evidence())).toEqual([]);
  });

  it('the checks accept a failed message that was stored in a session which the page had left', () => {
    const items = [user('b', 'd2', 'failed')];
    const left = { items, trace: { sessionIds: ['s', 'next'], acknowledged: [] } };
    expect(brokenBy(left)).toEqual([]);
    expect(brokenBy({ ...left, trace: { ...left.trace, renewals: 1 } })).toEqual([
      'failedIsNotDelivered',
      'session',
    ]);
  });

  it.each<[string, Change, string]>([
    ['an acknowledged message that is not stored', { events: EVENTS.slice(0, 4) }, 'lost'],
    ['a message that a tab does not show', { items: ITEMS.slice(1) }, 'lost'],
    ['a message that a tab shows twice', { items: [...ITEMS, user('b', null)] }, 'repeated'],
    ['a message that is stored twice', { events: [...EVENTS, wrote(6, 'b', 'd2')] }, 'repeated'],
    ['two messages in the wrong order', { items: [...ITEMS].reverse() }, 'order'],
    [
      'an order that is not the one of writing',
      { events: [EVENTS[0], wrote(2, 'b', 'd2'), wrote(3, 'a', 'd1')].filter((each) => each !== undefined) },
      'writingOrder',
    ],
    [
      'a message that waits without end',
      { items: [...ITEMS.slice(0, 2), user('b', 'd2', 'pending')] },
      'accounted',
    ],
    [
      'a message that is shown as failed and is stored',
      { items: [...ITEMS.slice(0, 2), user('b', 'd2', 'failed')] },
      'failedIsNotDelivered',
    ],
    [
      "a text that is not the platform's",
      { items: [user('a', 'd1'), agent('You said'), user('b', 'd2')] },
      'text',
    ],
    [
      'a streaming mark that stays',
      { items: [user('a', 'd1'), agent('You said a', true), user('b', 'd2')] },
      'typing',
    ],
    ['a typing indicator that stays', { view: { isTyping: true } }, 'typing'],
    ['a connection that does not come back', { view: { connection: 'failed' } }, 'open'],
    ['a session that was given up', { trace: { renewals: 1 } }, 'session'],
    ['a request of a page that is gone', { trace: { lateCalls: 1 } }, 'quiet'],
    ['a turn without an answer', { log: { unfinishedTurns: 1 } }, 'turns'],
    ['a gap in the log', { events: [...EVENTS, event(7, 'AGENT_LEFT')] }, 'log'],
    ['a token in a frame', { trace: { frames: ['out {"x":"secret-token"}'] } }, 'secrets'],
    ['a token in a log', { output: ['GET /ws?access_token=secret-token'] }, 'secrets'],
  ])('the checks find %s', (_what, change, invariant) => {
    expect(brokenBy(change)).toContain(invariant);
  });

  it('the checks accept that a message reported as failed is missing', () => {
    const items = [...ITEMS.slice(0, 2), user('b', 'd2', 'failed')];
    expect(
      checkInvariants(evidence({ items, events: EVENTS.slice(0, 4), trace: { acknowledged: ['d1'] } })),
    ).toEqual([]);
  });

  it('the checks find a message that has vanished', () => {
    const change = { items: ITEMS.slice(0, 2), events: EVENTS.slice(0, 4), trace: { acknowledged: ['d1'] } };
    expect(brokenBy(change)).toEqual(['accounted']);
  });

  it.each<[string, readonly LoggedEvent[]]>([
    ['an id that is used twice', [event(1, 'SESSION_START'), event(2, 'AGENT_LEFT', { id: 'e1' })]],
    ['a chunk that is left out', [said(1, 'a'), said(2, 'c', 3)]],
    ['a stream that continues after another one', [said(1, 'a'), said(2, 'x', 1, 'n'), said(3, 'b', 2)]],
  ])('the checks find in a log %s', (_what, events) => {
    expect(findLogFaults({ sessionId: 's', events, unfinishedTurns: 0 })).toHaveLength(1);
  });
});

describe('the report', () => {
  it('the report computes quantiles of the measurements', () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([3, 1, 2], 0.99)).toBe(3);
    expect(quantile([], 0.5)).toBeNull();
  });

  it('the report has a row for every kind that was run, and one for all', () => {
    const times = { reopenedMs: 1_500, settledMs: 2_000, buttons: 0, traces: [] };
    const counts = { sent: 3, acknowledged: 2, delivered: 2, failed: 1 };
    const violations = [{ invariant: 'lost' as const, detail: 'x' }];
    const lines = formatReport([
      { seed: 1, kind: 'drop', violations, ...counts, ...times },
      { seed: 2, kind: 'kill', violations: [], ...counts, ...times },
    ]).split('\n');
    expect(lines.map((line) => line.split(/\s{2,}/).slice(0, 7))).toEqual([
      ['fault', 'schedules', 'sent', 'acknowledged', 'delivered', 'failed', 'lost'],
      ['drop', '1', '3', '2', '2', '1', '1'],
      ['kill', '1', '3', '2', '2', '1', '0'],
      ['all', '2', '6', '4', '4', '2', '1'],
    ]);
  });
});
