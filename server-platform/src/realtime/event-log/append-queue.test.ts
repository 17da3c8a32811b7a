import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testEvent } from '../../../test/db/fixtures.ts';
import { DatabaseError } from '../../db/database-error.ts';
import type { Database, SqlValue } from '../../db/sql.ts';
import type { AppendQueueOptions } from './append-queue.ts';
import type { AppendRequest, AppendResult } from './append-request.ts';
import { createEventLog, type EventLog } from './event-log.ts';

describe('appends that can wait', () => {
  const rest: AppendRequest = {
    sessionId: idOf('1'),
    epoch: 1,
    events: [],
    effects: { endTurn: { id: randomUUID() }, canWait: true },
  };
  const urgent: AppendRequest = { sessionId: idOf('3'), epoch: 1, events: [testEvent()] };

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('writes deferred appends together with the next one of their session', async () => {
    const { log, statements, answer } = createHeldLog(1);
    const waiting = log.append(rest);
    await settled();
    expect(statements).toEqual([]);
    const other = log.append({ ...urgent, sessionId: rest.sessionId });
    await settled();
    expect(statements).toEqual([[idOf('1')]]);
    answer();
    await Promise.all([waiting, other]);
    await vi.advanceTimersByTimeAsync(1_000);
    await settled();
    expect(statements).toHaveLength(1);
  });

  it('writes deferred appends in a separate statement, without delaying other sessions', async () => {
    const { log, statements, answer } = createHeldLog(1);
    const waiting = log.append(rest);
    const other = log.append(urgent);
    await settled();
    expect(statements).toEqual([[idOf('3')]]);
    answer();
    await other;
    await settled();
    await vi.advanceTimersByTimeAsync(50);
    await settled();
    expect(statements).toEqual([[idOf('3')], [idOf('1')]]);
    answer();
    await waiting;
  });

  it('writes deferred appends with the next statement of any session once they have waited long', async () => {
    const { log, statements, answer } = createHeldLog(1);
    const running = log.append(urgent);
    const waiting = log.append(rest);
    await settled();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60);
    const next = log.append(urgent);
    answer();
    await running;
    await settled();
    await settled();
    expect(statements).toEqual([[idOf('3')], [idOf('1'), idOf('3')]]);
    answer();
    await Promise.all([waiting, next]);
  });

  it('repeats an append that was rolled back for a deadlock', async () => {
    const { log, statements, answer } = createHeldLog(1, { losses: 2 });
    const appended = log.append(urgent);
    for (let round = 0; round < 3; round += 1) {
      await settled();
      answer();
    }
    expect(await appended).toMatchObject({ status: 'appended' });
    expect(statements).toHaveLength(3);
  });

  it('writes deferred appends after a moment when there are no others', async () => {
    const { log, statements, answer } = createHeldLog(1);
    const waiting = log.append(rest);
    await vi.advanceTimersByTimeAsync(50);
    await settled();
    expect(statements).toHaveLength(1);
    // Later requests form a new group.
    const next = log.append(rest);
    answer();
    await waiting;
    await settled();
    expect(statements).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(50);
    await settled();
    expect(statements).toHaveLength(2);
    answer();
    await next;
    expect(log.queuedRows).toBe(0);
  });

  it('writes deferred appends at once when the log is drained', async () => {
    const { log, statements, answer } = createHeldLog(2);
    const waiting = [log.append(rest), log.append({ ...rest, sessionId: idOf('2') })];
    const drained = log.drain();
    await settled();
    answer();
    await drained;
    expect(statements.flat().toSorted()).toEqual([idOf('1'), idOf('2')]);
    await Promise.all(waiting);
  });
});

describe('rows that wait', () => {
  it('counts queued rows, at least one per request, and refuses requests above the limit', async () => {
    const { log, answer } = createHeldLog(1, { maxQueuedRows: 3 });
    const events = (count: number): AppendRequest => ({
      sessionId: idOf('1'),
      epoch: 1,
      events: Array.from({ length: count }, () => testEvent()),
    });
    await expect(log.append(events(4))).rejects.toMatchObject({ code: 'overloaded' });
    const fitting = [log.append(events(2)), log.append(events(0))];
    expect(log.queuedRows).toBe(3);
    await expect(log.append(events(0))).rejects.toMatchObject({ code: 'overloaded' });
    await settled();
    answer();
    await Promise.all(fitting);
    expect(log.queuedRows).toBe(0);
  });

  it('limits the queued text, and refuses requests above the limit until it is written', async () => {
    const { log, answer } = createHeldLog(1, { maxQueuedCharacters: 1_000 });
    const say = (characters: number): AppendRequest => ({
      sessionId: idOf('1'),
      epoch: 1,
      events: [testEvent({ payload: { text: 'x'.repeat(characters) } })],
    });
    const fitting = log.append(say(900));
    await expect(log.append(say(200))).rejects.toMatchObject({ code: 'overloaded' });
    await settled();
    answer();
    await fitting;
    const later = log.append(say(200)).catch((error: unknown) => error);
    expect(await Promise.race([later, settled().then(() => 'waits to be written')])).toBe(
      'waits to be written',
    );
  });
});

describe('writers', () => {
  it('writes groups of different sessions concurrently, and groups of one session in order', async () => {
    const { log, statements, answer } = createHeldLog(2);
    const append = (end: string): Promise<AppendResult> =>
      log.append({ sessionId: idOf(end), epoch: 1, events: [testEvent()] });
    const first = [append('1'), append('3'), append('2')];
    await Promise.resolve();
    const later = [append('1'), append('2')];
    await new Promise((resolve) => setImmediate(resolve));
    expect(statements).toEqual([[idOf('1'), idOf('3')], [idOf('2')]]);
    answer();
    await Promise.all(first);
    await vi.waitFor(() => expect(statements).toHaveLength(4));
    expect(statements.slice(2)).toEqual([[idOf('1')], [idOf('2')]]);
    answer();
    await Promise.all(later);
    await log.drain();
    expect(log.queuedRows).toBe(0);
  });
});

describe('long texts', () => {
  const text = (end: string, length: number): AppendRequest => {
    const event = testEvent();
    return { sessionId: idOf(end), epoch: 1, events: [{ ...event, payload: { text: 'x'.repeat(length) } }] };
  };

  it('writes long texts one at a time, with a group of short ones after each', async () => {
    const { log, statements, answer } = createHeldLog(1);
    const appends = [log.append(text('1', 100_000)), log.append(text('2', 100_000))];
    await settled();
    // These arrive while the first long text is written; the last one follows a long text of the same session.
    for (const request of [text('3', 10), text('4', 20_000), text('5', 10), text('4', 10)])
      appends.push(log.append(request));
    const written = async (count: number): Promise<void> => {
      answer();
      await vi.waitFor(() => expect(statements).toHaveLength(count));
    };
    await written(2);
    await written(3);
    answer();
    await Promise.all(appends);
    expect(statements).toEqual([[idOf('1')], [idOf('3'), idOf('5')], [idOf('2'), idOf('4')]]);
  });

  it('limits long texts in records in the same way as in events', async () => {
    const { log, statements, answer } = createHeldLog(1);
    const turn = {
      kind: 'message',
      userInput: 'x'.repeat(100_000),
      userInputAtMs: 1,
      agentResponse: 'Yes',
      agentResponseAtMs: 1,
      atMs: 1,
    } as const;
    const record = { id: 'CONV-1', turns: [turn] };
    const appends = [
      log.append({ sessionId: idOf('1'), epoch: 1, events: [], effects: { record } }),
      log.append(text('2', 100_000)),
    ];
    await settled();
    expect(statements).toEqual([[idOf('1')]]);
    answer();
    await vi.waitFor(() => expect(statements).toHaveLength(2));
    answer();
    await Promise.all(appends);
  });
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function idOf(end: string): string {
  return `00000000-0000-4000-8000-00000000000${end}`;
}

/** A log on a database that answers only on request, with the sessions of each statement it received. */
function createHeldLog(
  writers: number,
  { losses = 0, ...options }: AppendQueueOptions & { readonly losses?: number } = {},
): {
  readonly log: EventLog;
  readonly statements: (readonly unknown[])[];
  readonly answer: () => void;
} {
  const statements: (readonly unknown[])[] = [];
  let waiting: (() => void)[] = [];
  let left = losses;
  const query = async <Row extends object>(
    _: string,
    params: readonly SqlValue[] = [],
  ): Promise<readonly Row[]> => {
    const ids = Array.isArray(params[0]) ? params[0] : [];
    statements.push(ids);
    await new Promise<void>((resolve) => waiting.push(resolve));
    left -= 1;
    if (left >= 0) throw new DatabaseError('conflict', 'deadlock detected', { sqlState: '40P01' });
    return ids.map((_, index) => ({
      nr: index + 1,
      ix: index + 1,
      is_open: true,
      base: 1,
    })) as unknown as readonly Row[];
  };
  const database: Database = {
    engine: 'postgres',
    isDurable: true,
    query,
    tx: (run) => run(database),
    ping: async () => {},
    close: async () => {},
  };
  const answer = (): void => {
    const answered = waiting;
    waiting = [];
    for (const resolve of answered) resolve();
  };
  return { log: createEventLog(database, { writers, ...options }), statements, answer };
}
