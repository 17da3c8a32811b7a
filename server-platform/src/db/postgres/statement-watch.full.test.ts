import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FlakyLink, startFlakyLink } from '../../../../demo/link/flaky-link.ts';
import { REACHABLE_POSTGRES_URL } from '../../../test/db/postgres-server.ts';
import { openDatabase } from '../open-database.ts';
import type { Database } from '../sql.ts';

// Unique to this test.
const LOCK = 7_312_904;
const TAKE_LOCK = `SELECT pg_advisory_xact_lock(${LOCK})`;

const ASK_AFTER_MS = 5_000;
const ARRIVAL_MS = 1_000;

/** Waits without advancing time, because `expect.poll` advances a stopped clock. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

/** A server that rejects connections because it has none to spare. */
async function startFullServer(): Promise<Server> {
  const fields = ['SFATAL', 'C53300', 'Msorry, too many clients already', ''];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const head = Buffer.from([0x45, 0, 0, 0, body.length + 4]);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([head, body])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe.skipIf(REACHABLE_POSTGRES_URL === undefined)('a statement on a server that does not answer', () => {
  const { hostname: host, port } = new URL(REACHABLE_POSTGRES_URL ?? 'postgres://127.0.0.1:5432');
  const target = { host, port: Number(port || '5432') };
  let link: FlakyLink;
  /** Connects through the link, and so does the statement watch. */
  let database: Database;
  let direct: Database;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(globalThis, 'setTimeout');
    link = await startFlakyLink(target);
    const url = new URL(REACHABLE_POSTGRES_URL ?? '');
    url.host = `127.0.0.1:${link.port}`;
    direct = await openDatabase({ databaseUrl: REACHABLE_POSTGRES_URL });
    // Opens the single client that all statements of a test use.
    database = await openDatabase({ databaseUrl: url.href });
    expect([link.acceptedCount, link.connectionCount]).toEqual([1, 1]);
  });
  afterEach(async () => {
    link.drop();
    await database.close();
    await direct.close();
    await link.close();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** Takes the lock over a separate connection, and resolves with its release function. */
  async function holdLock(): Promise<() => Promise<void>> {
    let giveBack: () => void = () => {};
    const isOver = new Promise<void>((resolve) => {
      giveBack = resolve;
    });
    let note: () => void = () => {};
    const isHeld = new Promise<void>((resolve) => {
      note = resolve;
    });
    const holding = direct.tx(async (sql) => {
      await sql.query(TAKE_LOCK);
      note();
      await isOver;
    });
    await isHeld;
    return async () => {
      giveBack();
      await holding;
    };
  }

  /** Starts a statement that waits for the lock, and resolves when the server has received it. */
  async function startWaiting(): Promise<{ outcome: string; done: Promise<void> }> {
    const statement = { outcome: 'pending', done: Promise.resolve() };
    const run = async (): Promise<void> => {
      try {
        await database.query(TAKE_LOCK);
        statement.outcome = 'answered';
      } catch (error) {
        statement.outcome = String(Reflect.get(Object(error), 'code'));
      }
    };
    statement.done = run();
    const waiting = `SELECT 1 FROM pg_locks WHERE objid = ${LOCK} AND NOT granted`;
    await until(async () => (await direct.query(waiting)).length === 1);
    return statement;
  }

  /** How often a watch has scheduled its next step. */
  const countSteps = (): number =>
    vi.mocked(setTimeout).mock.calls.filter(([, ms]) => ms === ASK_AFTER_MS || ms === ARRIVAL_MS).length;

  /** Advances time until the watch queries, and resolves when it has its answer and its next schedule. */
  async function ask(afterMs = ASK_AFTER_MS): Promise<void> {
    const before = link.acceptedCount;
    const steps = countSteps();
    vi.advanceTimersByTime(afterMs);
    await until(
      () => link.acceptedCount === before + 1 && link.connectionCount === 1 && countSteps() > steps,
    );
  }

  it('leaves a statement alone while the server works on it, however long that takes', async () => {
    const release = await holdLock();
    const statement = await startWaiting();
    vi.advanceTimersByTime(ASK_AFTER_MS - 1);
    expect(link.acceptedCount).toBe(1);
    await ask(1);
    for (let count = 0; count < 30; count += 1) await ask();
    await release();
    await statement.done;
    expect(statement.outcome).toBe('answered');
    // A completed statement is not watched.
    vi.advanceTimersByTime(ASK_AFTER_MS);
    await database.ping();
    expect([link.acceptedCount, link.connectionCount]).toEqual([32, 1]);
  });

  it("fails a statement whose response was lost, and releases its transaction's locks", async () => {
    let outcome: unknown = 'pending';
    let note: () => void = () => {};
    const isSent = new Promise<void>((resolve) => {
      note = resolve;
    });
    const started = database.tx(async (sql) => {
      await sql.query(TAKE_LOCK);
      link.deafen('both');
      const answer = sql.query('SELECT 1');
      note();
      await answer;
    });
    const ended = started.catch((error: unknown) => {
      outcome = error;
    });
    await isSent;
    await ask();
    // A response may have been in flight when the watch queried.
    vi.advanceTimersByTime(ARRIVAL_MS - 1);
    await direct.ping();
    expect(outcome).toBe('pending');
    vi.advanceTimersByTime(1);
    await ended;
    expect(outcome).toMatchObject({ code: 'unavailable' });
    await direct.tx((sql) => sql.query(TAKE_LOCK));
  });

  it('fails a statement with the second check when the server no longer knows its connection', async () => {
    const release = await holdLock();
    const statement = await startWaiting();
    link.deafen('both');
    await direct.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE objid = ${LOCK} AND NOT granted`,
    );
    await ask();
    vi.advanceTimersByTime(ARRIVAL_MS);
    await direct.ping();
    expect(statement.outcome).toBe('pending');
    await ask(ASK_AFTER_MS - ARRIVAL_MS);
    vi.advanceTimersByTime(ARRIVAL_MS);
    await statement.done;
    expect(statement.outcome).toBe('unavailable');
    await release();
  });

  it('fails a statement when the server cannot be reached', async () => {
    const release = await holdLock();
    const statement = await startWaiting();
    link.setConditions({ isRefusing: true });
    vi.advanceTimersByTime(ASK_AFTER_MS);
    await until(() => vi.advanceTimersByTime(ARRIVAL_MS) && statement.outcome === 'unavailable');
    await statement.done;
    await release();
  });

  it('allows a statement two minutes on a server that cannot report its state', async () => {
    const full = await startFullServer();
    const address = full.address();
    const fullTarget = { host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
    const release = await holdLock();
    const statement = await startWaiting();
    link.retarget(fullTarget);
    for (let count = 0; count < 20; count += 1) await ask();
    // One answer in between resets the time limit.
    link.retarget(target);
    await ask();
    link.retarget(fullTarget);
    for (let count = 0; count < 23; count += 1) await ask();
    vi.advanceTimersByTime(ARRIVAL_MS);
    await direct.ping();
    expect(statement.outcome).toBe('pending');
    await ask(ASK_AFTER_MS - ARRIVAL_MS);
    vi.advanceTimersByTime(ARRIVAL_MS);
    await statement.done;
    expect(statement.outcome).toBe('unavailable');
    await release();
    full.close();
  });

  it('keeps the connection when the response arrives during a check', async () => {
    const [before] = await database.query('SELECT pg_backend_pid() AS id');
    const release = await holdLock();
    const statement = await startWaiting();
    link.setConditions({ stalled: 'toServer' });
    vi.advanceTimersByTime(ASK_AFTER_MS);
    await until(() => link.connectionCount === 2);
    await release();
    await statement.done;
    link.heal();
    await until(() => link.connectionCount === 1);
    vi.advanceTimersByTime(ARRIVAL_MS);
    expect(await database.query('SELECT pg_backend_pid() AS id')).toEqual([before]);
    expect(statement.outcome).toBe('answered');
  });
});
