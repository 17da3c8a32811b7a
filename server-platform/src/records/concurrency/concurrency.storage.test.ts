import { type Concurrency, concurrencySchema, parseBody } from '@natter/sdk';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type RestFixture,
  type RestTestAnswer,
  startRestFixture,
} from '../../../test/api/rest/rest-fixture.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { recorded } from '../../../test/records/conversations/recorded.ts';
import { type ConversationChange, writeConversations } from '../../realtime/event-log/index.ts';
import { createConcurrencyFamily } from './concurrency-family.ts';
import { findConcurrency } from './find-concurrency.ts';
import { INTERVAL_MS } from './sweep.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 2, 2);

describeStorage('concurrency', (engine) => {
  let rest: RestFixture;
  let count = 0;
  beforeAll(async () => {
    rest = await startRestFixture({ engine, families: (services) => [createConcurrencyFamily(services)] });
  });
  afterAll(() => rest.stop());

  type Place = NonNullable<ConversationChange['start']>;
  /** Conversations by start and end in minutes after the first start; null: still open. */
  const record = async (
    spans: readonly (readonly [begin: number, end: number | null])[],
    start: Partial<Place> = {},
  ): Promise<void> => {
    const changes = spans.map(([begin, end]) => {
      count += 1;
      const atMs = START_MS + begin * MINUTE_MS;
      const ending = end === null ? undefined : { atMs: START_MS + end * MINUTE_MS, reason: 'user' as const };
      return recorded(rest, `CONV-${count}`, { start: { ...start, atMs }, end: ending });
    });
    await writeConversations(rest.database, changes);
  };
  const ask = (query: string, key = rest.keys.runtime): Promise<RestTestAnswer> =>
    rest.call(`GET /v1/acme/shop/conversations/concurrency?${query}`, { key });
  const range = (environment: string): string =>
    `start_time=2026-03-02T00:00:00Z&end_time=2026-03-02T00:20:00Z&client_env=${environment}`;
  const peaks = async (query: string): Promise<readonly number[]> => {
    const { status, body } = await ask(query);
    expect(status).toBe(200);
    const parsed = parseBody(concurrencySchema, body);
    if (!parsed.isOk) throw new Error(JSON.stringify(parsed.errors));
    return parsed.value.intervals.map((interval) => interval.max_concurrent_conversations);
  };

  it('counts conversations open at one instant; an end precedes a start at the same instant (CC-3)', async () => {
    const environment = 'sandbox';
    await record(
      [
        [-60, 1],
        [1, 6],
        [2, 3],
        [3, 4],
        [7, 7],
        [15, 16],
      ],
      { environment },
    );
    expect(await peaks(range(environment))).toEqual([2, 1, 0, 1]);
  });

  it('answers a dense series of concurrency by time, in whole seconds (CC-1, CC-2)', async () => {
    const { body } = await ask('start_time=2026-01-01T00:04:59Z&end_time=2026-01-01T00:10:00Z');
    expect(body).toEqual({
      account_id: rest.account.id,
      project_id: rest.project.id,
      intervals: [
        { time: '2026-01-01T00:00:00Z', max_concurrent_conversations: 0 },
        { time: '2026-01-01T00:05:00Z', max_concurrent_conversations: 0 },
      ],
    });
    const rounded = await ask('start_time=2026-01-01T00:05:00Z&end_time=2026-01-01T00:10:01Z');
    expect((rounded.body as unknown as Concurrency).intervals.map(({ time }) => time)).toEqual([
      '2026-01-01T00:05:00Z',
      '2026-01-01T00:10:00Z',
    ]);
  });

  it('counts a conversation in progress until now, and nothing in the future (CC-3)', async () => {
    const elsewhere = { projectId: rest.project.id, environment: 'pre-release', isByVariant: false };
    await record(
      [
        [6, null],
        [-3 * 24 * 60, null],
        [12, 30],
      ],
      { environment: 'pre-release' },
    );
    const found = await findConcurrency(rest.database, {
      ...elsewhere,
      fromMs: START_MS,
      toMs: START_MS + 4 * INTERVAL_MS,
      nowMs: START_MS + 13 * MINUTE_MS,
    });
    expect(found.map(({ peak }) => peak)).toEqual([1, 2, 3, 0]);
  });

  it('returns one concurrency series per variant with a conversation, ordered by time, then variant (CC-1, CC-2)', async () => {
    await record([[1, 2]], { variantId: 'b', variantName: 'Beta' });
    await record(
      [
        [6, 7],
        [6, 8],
      ],
      { variantId: 'a', variantName: 'Alpha' },
    );
    await record([[-600, -590]], { variantId: 'c', variantName: 'Gamma' });
    const query = 'start_time=2026-03-02T00:00:00Z&end_time=2026-03-02T00:10:00Z';
    expect((await ask(`${query}&slice_by=variant`)).body['intervals']).toEqual([
      {
        time: '2026-03-02T00:00:00Z',
        max_concurrent_conversations: 0,
        variant_id: 'a',
        variant_name: 'Alpha',
      },
      {
        time: '2026-03-02T00:00:00Z',
        max_concurrent_conversations: 1,
        variant_id: 'b',
        variant_name: 'Beta',
      },
      {
        time: '2026-03-02T00:05:00Z',
        max_concurrent_conversations: 2,
        variant_id: 'a',
        variant_name: 'Alpha',
      },
      {
        time: '2026-03-02T00:05:00Z',
        max_concurrent_conversations: 0,
        variant_id: 'b',
        variant_name: 'Beta',
      },
    ]);
    expect(await peaks(`${query}&variant_id=a`)).toEqual([0, 2]);
    expect(await peaks(`${query}&variant_name=Beta`)).toEqual([1, 0]);
    const none = await ask('start_time=2025-03-02&end_time=2025-03-03&slice_by=variant');
    expect(none.body['intervals']).toEqual([]);
  });

  it('filters concurrency by language and the agent’s number, and repeats the filter in every interval (5)', async () => {
    const start = { language: 'cy', fromNumber: '+441', toNumber: '+442', variantId: 'phone' };
    await record([[1, 2]], start);
    await record([[1, 2]], { ...start, language: 'en' });
    const query = 'start_time=2026-03-02T00:00:00Z&end_time=2026-03-02T00:05:00Z&variant_id=phone';
    expect(await peaks(query)).toEqual([2]);
    expect((await ask(`${query}&language=cy&phone_number=%2B442`)).body['intervals']).toEqual([
      { time: '2026-03-02T00:00:00Z', max_concurrent_conversations: 1, language: 'cy', phone_number: '+442' },
    ]);
    expect(await peaks(`${query}&phone_number=%2B441`)).toEqual([0]);
  });

  it.each([
    ['end_time=2026-03-02', 'start_time is required'],
    ['start_time=2026-03-02', 'end_time is required'],
    ['start_time=2026-03-02&end_time=2026-03-02', 'end_time must be after start_time'],
    [
      'start_time=2026-03-01&end_time=2026-03-08T00:00:01Z',
      'end_time must be at most 7 days after start_time',
    ],
    [
      'start_time=2026-03-01&end_time=2026-03-02&variant_id=a&variant_name=b',
      'variant_name must not be combined',
    ],
    ['start_time=2026-03-01&end_time=2026-03-02&slice_by=colour', 'slice_by must be one of'],
    ['start_time=2026-03-01&end_time=2026-03-02&client_env=test', 'client_env must be one of'],
  ])('refuses concurrency for %s with 400 (5)', async (query, text) => {
    const { status, body } = await ask(query);
    expect([status, body['error_code']]).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
    expect(body['error_message']).toContain(text);
  });

  it('measures the range of concurrency before rounding (5)', async () => {
    expect(await peaks('start_time=2026-01-01T00:01:00Z&end_time=2026-01-08T00:01:00Z')).toHaveLength(2017);
  });

  it.each(['language', 'phone_number'])(
    'answers concurrency with slice_by %s with 501 (5)',
    async (slice) => {
      const { status, body } = await ask(`start_time=2026-03-01&end_time=2026-03-02&slice_by=${slice}`);
      expect([status, body['error_code'], body['error_message']]).toEqual([
        501,
        'NOT_IMPLEMENTED',
        `slice_by ${slice} is not implemented`,
      ]);
    },
  );

  it('counts a week of conversations read in parts, including those across the borders (CC-3)', async () => {
    const variantId = 'week';
    const hours = [0, 1, 2, 4, 6, 12, 24, 48, 167];
    await record(
      hours.flatMap((hour): [number, number][] => [
        [hour * 60 - 4, hour * 60 + 3],
        [hour * 60 - 7, hour * 60],
        [hour * 60, hour * 60 + 1],
      ]),
      { variantId },
    );
    await record([[3 * 60 + 1, 4 * 24 * 60]], { variantId });
    const week = { fromMs: START_MS, toMs: START_MS + 7 * 24 * 60 * MINUTE_MS };
    const found = await findConcurrency(rest.database, {
      ...week,
      projectId: rest.project.id,
      environment: 'live',
      nowMs: week.toMs,
      variantId,
      isByVariant: false,
    });
    expect(found).toHaveLength(2016);
    const peakAt = (minute: number): number | undefined => found[minute / 5]?.peak;
    // The long one is open from the fourth hour on, for four days less an hour.
    expect(hours.map((hour) => peakAt(hour * 60))).toEqual([2, 2, 2, 3, 3, 3, 3, 3, 2]);
    expect(hours.slice(1).map((hour) => peakAt(hour * 60 - 5))).toEqual([2, 2, 3, 3, 3, 3, 3, 2]);
    expect([peakAt(30), peakAt(5 * 60), peakAt(3 * 24 * 60), peakAt(5 * 24 * 60)]).toEqual([0, 1, 1, 0]);
  });

  it.runIf(engine.name === 'pglite')(
    'lets other statements run while a week of conversations is counted',
    async () => {
      const week = { fromMs: START_MS, toMs: START_MS + 7 * 24 * 60 * MINUTE_MS };
      const done: string[] = [];
      const counting = findConcurrency(rest.database, {
        ...week,
        projectId: rest.project.id,
        environment: 'live',
        nowMs: week.toMs,
        isByVariant: true,
      }).then(() => done.push('week'));
      await rest.database.query('SELECT 1');
      done.push('other');
      await counting;
      expect(done).toEqual(['other', 'week']);
    },
  );

  it('finds the same peaks as counting instant by instant (CC-3)', async () => {
    const minute = fc.integer({ min: -2 * 24 * 60, max: 40 });
    const length = fc.oneof(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 0, max: 3 * 24 * 60 }),
      fc.constant(null),
    );
    const spans = fc.array(fc.tuple(minute, length), { maxLength: 30 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(spans, fc.integer({ min: 0, max: 40 }), async (drawn, nowMinute) => {
        run += 1;
        const variantId = `run-${run}`;
        const ends = drawn.map(([begin, lasts]) => [begin, lasts === null ? null : begin + lasts] as const);
        await record(ends, { variantId });
        const found = await findConcurrency(rest.database, {
          projectId: rest.project.id,
          environment: 'live',
          fromMs: START_MS,
          toMs: START_MS + 6 * INTERVAL_MS,
          nowMs: START_MS + nowMinute * MINUTE_MS,
          variantId,
          isByVariant: false,
        });
        expect(found.map(({ peak }) => peak)).toEqual(countByMinute(ends, nowMinute));
      }),
      { numRuns: 60 },
    );
  });
});

/** Peaks of six intervals. Starts and ends are whole minutes, so counting once a minute is exact. */
function countByMinute(
  spans: readonly (readonly [begin: number, end: number | null])[],
  nowMinute: number,
): readonly number[] {
  const openAt = (minute: number): number =>
    spans.filter(([begin, end]) => begin <= minute && minute < Math.min(end ?? nowMinute, nowMinute)).length;
  return Array.from({ length: 6 }, (_, index) =>
    Math.max(...Array.from({ length: 5 }, (__, minute) => openAt(index * 5 + minute))),
  );
}

it('writes the account id under the vendor’s names if the deployment enables them (C-4)', async () => {
  const rest = await startRestFixture({
    settings: { vendorNames: { concurrency: true } },
    families: (services) => [createConcurrencyFamily(services)],
  });
  const query = 'start_time=2026-01-01T00:00:00Z&end_time=2026-01-01T00:05:00Z';
  const { body } = await rest.call(`GET /v1/acme/shop/conversations/concurrency?${query}`, {
    key: rest.keys.runtime,
  });
  expect(body['account_id']).toBe(rest.account.id.replace('ACCOUNT-', 'ws-'));
  await rest.stop();
});
