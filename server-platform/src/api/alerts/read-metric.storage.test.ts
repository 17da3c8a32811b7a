import type { AlertMetric } from '@natter/sdk';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import { type Account, addAccount, addProject } from '../../accounts/index.ts';
import type { ConversationStart, ConversationTurn } from '../../realtime/event-log/conversation-change.ts';
import { writeConversations } from '../../realtime/event-log/write-conversations.ts';
import { readMetric } from './read-metric.ts';

const NOW = 1_772_442_900_000;
const FROM = NOW - 300_000;
const METRICS: readonly AlertMetric[] = [
  'turn_latency_p50',
  'turn_latency_p95',
  'api_errors',
  'function_errors',
  'call_crashes',
  'call_volume',
];

describeStorage('a metric', (engine) => {
  let place: TestDatabase;
  let account: Account;
  let projectId: string;
  let count = 0;
  beforeAll(async () => {
    place = await engine.open();
  });
  afterAll(() => place.close());
  beforeEach(async () => {
    count += 1;
    account = await addAccount(place.database, { slug: `a${count}` });
    projectId = (await addProject(place.database, account, { slug: 'p' })).id;
  });

  const converse = async (
    turns: readonly Partial<ConversationTurn>[],
    start: Partial<ConversationStart> = {},
  ): Promise<void> => {
    count += 1;
    await writeConversations(place.database, [
      {
        id: `CONV-${count}`,
        start: {
          atMs: NOW - 1000,
          projectId,
          connectorId: null,
          variantId: '',
          variantName: '',
          environment: 'live',
          channel: 'CHAT',
          language: 'en',
          fromNumber: '',
          toNumber: '',
          sharedId: null,
          ...start,
        },
        turns: turns.map((turn) => ({
          kind: 'message',
          userInputAtMs: NOW - 500,
          agentResponse: 'Yes.',
          agentResponseAtMs: NOW - 400,
          atMs: NOW - 400,
          ...turn,
        })),
      },
    ]);
  };
  const read = (metric: AlertMetric, ofProject: string | null = null): Promise<number | null> =>
    readMetric(place.database, metric, {
      accountId: account.id,
      projectId: ofProject,
      fromMs: FROM,
      toMs: NOW,
    });
  const readAll = async (): Promise<Record<string, number | null>> =>
    Object.fromEntries(await Promise.all(METRICS.map(async (metric) => [metric, await read(metric)])));

  it('returns null without data, and 0 for the volume (AL-8)', async () => {
    expect(await readAll()).toEqual({
      turn_latency_p50: null,
      turn_latency_p95: null,
      api_errors: null,
      function_errors: null,
      call_crashes: null,
      call_volume: 0,
    });
  });

  it('counts zero errors once there is a conversation (AL-8)', async () => {
    await converse([]);
    expect(await readAll()).toEqual({
      turn_latency_p50: null,
      turn_latency_p95: null,
      api_errors: 0,
      function_errors: 0,
      call_crashes: 0,
      call_volume: 1,
    });
  });

  it.each([
    [[100], 100, 100],
    [[100, 200], 100, 200],
    [[300, 100, 200], 200, 300],
    [Array.from({ length: 20 }, (_, index) => (index + 1) * 10), 100, 190],
    [Array.from({ length: 21 }, (_, index) => (index + 1) * 10), 110, 200],
  ])(
    'computes the nearest-rank percentile of the latencies %j: %i and %i (AL-6)',
    async (latencies, p50, p95) => {
      await converse(latencies.map((latencyMs) => ({ latencyMs })));
      expect([await read('turn_latency_p50'), await read('turn_latency_p95')]).toEqual([p50, p95]);
    },
  );

  it('counts errors in the window (AL-6)', async () => {
    await converse([
      { apiErrors: 1, failure: 'timeout' },
      { apiErrors: 1, failure: 'unavailable' },
    ]);
    await converse([{ functionErrors: 2 }, { functionErrors: 1, failure: 'unavailable' }]);
    await converse([{}]);
    expect(await readAll()).toMatchObject({
      api_errors: 2,
      function_errors: 3,
      // Two conversations, for any number of turns.
      call_crashes: 2,
      call_volume: 3,
    });
  });

  it('excludes events outside the window: after its start, up to its end (AL-5)', async () => {
    const before = { atMs: FROM };
    await converse([{ ...before, latencyMs: 1, apiErrors: 1 }], before);
    expect(await readAll()).toMatchObject({ turn_latency_p50: null, api_errors: null, call_volume: 0 });
    await converse([{ atMs: FROM + 1, latencyMs: 7 }], { atMs: FROM + 1 });
    await converse([{ atMs: NOW, latencyMs: 9 }], { atMs: NOW });
    await converse([{ atMs: NOW + 1, latencyMs: 11 }], { atMs: NOW + 1 });
    expect(await readAll()).toMatchObject({ turn_latency_p50: 7, turn_latency_p95: 9, call_volume: 2 });
  });

  it('has data when a conversation that started earlier continues in the window (AL-8)', async () => {
    await converse([{}], { atMs: FROM - 1 });
    expect(await readAll()).toMatchObject({ api_errors: 0, call_volume: 0 });
  });

  it('measures an account, or one project of it', async () => {
    await converse([{ latencyMs: 5 }]);
    const second = await addProject(place.database, account, { slug: 'q' });
    const other = await addAccount(place.database, { slug: `b${count}` });
    const foreign = await addProject(place.database, other, { slug: 'p' });
    await converse([{ latencyMs: 50 }], { projectId: second.id });
    await converse([{ latencyMs: 500 }], { projectId: foreign.id });
    expect(await read('call_volume')).toBe(2);
    expect(await read('turn_latency_p95')).toBe(50);
    expect(await read('call_volume', second.id)).toBe(1);
    expect(await read('turn_latency_p95', projectId)).toBe(5);
    expect(await read('call_volume', foreign.id)).toBe(0);
  });
});
