import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventLog } from '../../realtime/event-log/event-log.ts';
import { openDatabase } from '../open-database.ts';
import { checkpointIfLong, clearAway } from './maintenance.ts';

const CHILD = fileURLToPath(new URL('../../../test/db/append-forever.ts', import.meta.url));
// The first start initialises a database, which takes seconds, or longer on a busy machine.
describe('the embedded database in a folder', () => {
  let folder: string;
  let child: ChildProcess | null = null;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-pglite-'));
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    child = null;
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the process that appends, and resolves with its acknowledgements so far once there are `count`. */
  const appendElsewhere = async (count: number): Promise<readonly string[]> => {
    const lines: string[] = [];
    child = spawn(process.execPath, ['--conditions=@natter/source', CHILD, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout === null) throw new Error('no output');
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (lines.length >= count) break;
    }
    return lines;
  };

  it('keeps every acknowledged event after a kill, and refuses a second process before', async () => {
    const acknowledged = await appendElsewhere(150);
    const process = child;
    if (process === null) throw new Error('no process');
    await expect(openDatabase({ dataDir: folder })).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    expect(await exit).toEqual([null, 'SIGKILL']);

    const database = await openDatabase({ dataDir: folder });
    const [sessionId = '', last] = acknowledged.at(-1)?.split(' ') ?? [];
    const events = await createEventLog(database).readAfter(sessionId, 0, 100_000);
    expect(Number(last)).toBeGreaterThanOrEqual(150);
    expect(events.length).toBeGreaterThanOrEqual(Number(last));
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    await database.close();
  });

  it('reports the first start in a folder, keeps its data, and releases the folder', async () => {
    const lines: string[] = [];
    const first = await openDatabase({ dataDir: folder, onProgress: (line) => lines.push(line) });
    expect(first).toMatchObject({ engine: 'pglite', isDurable: true });
    expect(lines[0]).toContain('Creating the embedded database');
    await first.query('CREATE TABLE boats (name text)');
    await first.query("INSERT INTO boats VALUES ('Fulmar')");
    await expect(openDatabase({ dataDir: folder })).rejects.toMatchObject({ code: 'locked' });
    await first.close();
    const second = await openDatabase({ dataDir: folder, onProgress: (line) => lines.push(line) });
    expect(lines.filter((line) => line.includes('Creating'))).toHaveLength(1);
    expect(await second.query('SELECT name FROM boats')).toEqual([{ name: 'Fulmar' }]);
    await second.close();
  });

  it('reopens the database when its engine has ended, and reports that', async () => {
    const lines: string[] = [];
    const workers: Worker[] = [];
    const keepWorker = (worker: Worker): void => void workers.push(worker);
    process.on('worker', keepWorker);
    const database = await openDatabase({ dataDir: folder, onProgress: (line) => lines.push(line) });
    await database.query('CREATE TABLE boats (name text)');
    await workers.at(-1)?.terminate();
    expect(await database.query('SELECT count(*) AS boats FROM boats')).toEqual([{ boats: 0 }]);
    expect(await database.query('SHOW fsync')).toEqual([{ fsync: 'on' }]);
    expect(lines.at(-1)).toBe('The embedded database failed. Reopening it …');
    process.off('worker', keepWorker);
    await database.close();
  });

  it('starts over when a first start was interrupted', async () => {
    mkdirSync(join(folder, 'postgres.unfinished'));
    writeFileSync(join(folder, 'postgres.unfinished', 'PG_VERSION'), '18\n');
    const database = await openDatabase({ dataDir: folder });
    await database.ping();
    expect(existsSync(join(folder, 'postgres.unfinished'))).toBe(false);
    await database.close();
  });

  it('names the version of a folder that it cannot read', async () => {
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '17\n');
    await expect(openDatabase({ dataDir: folder })).rejects.toThrow('written by PostgreSQL 17');
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '16\n');
    // Not "locked", because the failed attempt released the folder.
    await expect(openDatabase({ dataDir: folder })).rejects.toThrow('written by PostgreSQL 16');
  });
});

describe('the upkeep of the embedded database', () => {
  it('ends the maintenance of the embedded database when it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const database = await openDatabase({ dataDir: 'memory' });
      expect(database).toMatchObject({ engine: 'pglite', isDurable: false });
      expect(vi.getTimerCount()).toBe(2);
      await database.close();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('vacuums the embedded database, which nothing else would do', async () => {
    const database = await openDatabase({ dataDir: 'memory' });
    await database.query('CREATE TABLE counters AS SELECT n FROM generate_series(1, 1000) AS n');
    for (let round = 0; round < 5; round += 1) await database.query('UPDATE counters SET n = n + 1');
    const size = async (): Promise<number> => {
      const [row] = await database.query<{ bytes: number }>("SELECT pg_relation_size('counters') AS bytes");
      return row?.bytes ?? Number.NaN;
    };
    await clearAway(database);
    const before = await size();
    for (let round = 0; round < 4; round += 1) await database.query('UPDATE counters SET n = n + 1');
    expect(await size()).toBe(before);
    await database.close();
  });

  it('updates the statistics of a table that changed by a tenth, and of no other', async () => {
    const database = await openDatabase({ dataDir: 'memory' });
    await database.query('CREATE TABLE large AS SELECT n FROM generate_series(1, 10000) AS n');
    await database.query('CREATE TABLE small AS SELECT n FROM generate_series(1, 100) AS n');
    const renewals = async (): Promise<object> => {
      await database.query('SELECT pg_stat_force_next_flush()');
      const rows = await database.query<{ relname: string; analyze_count: number }>(
        'SELECT relname, analyze_count::int FROM pg_stat_user_tables',
      );
      return Object.fromEntries(rows.map(({ relname, analyze_count }) => [relname, analyze_count]));
    };
    await clearAway(database);
    expect(await renewals()).toEqual({ large: 1, small: 1 });
    for (const table of ['large', 'small']) await database.query(`UPDATE ${table} SET n = -n WHERE n <= 100`);
    await clearAway(database);
    expect(await renewals()).toEqual({ large: 1, small: 2 });
    await database.close();
  });

  it('makes a checkpoint once the write-ahead log is long, which bounds its size', async () => {
    const database = await openDatabase({ dataDir: 'memory' });
    await database.query('CREATE TABLE notes AS SELECT md5(n::text) FROM generate_series(1, 20000) AS n');
    expect(await checkpointIfLong(database, 1024 * 1024)).toBe(true);
    expect(await checkpointIfLong(database, 1024 * 1024)).toBe(false);
    await database.close();
  });
});
