import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineThread } from './engine-thread.ts';

describe('the thread of the embedded database', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-thread-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('returns results in call order, passes errors on, and ends the database thread on close', async () => {
    const started = once(process, 'worker');
    const thread = await EngineThread.start(null, false);
    const [worker] = await started;
    const answers = await Promise.allSettled([
      thread.query('SELECT 1 AS n', []),
      thread.query('SELECT nothing', []),
      thread.query('SELECT $1::int AS n', [2], { prepare: true }),
    ]);
    expect(answers).toMatchObject([
      { status: 'fulfilled', value: [{ n: 1 }] },
      { status: 'rejected', reason: { code: 'rejected', sqlState: '42703' } },
      { status: 'fulfilled', value: [{ n: 2 }] },
    ]);
    expect(thread.failure).toBeNull();
    await thread.close();
    expect(worker.threadId).toBe(-1);
  });

  it('fails pending and later requests when the database thread ends, and can still be closed', async () => {
    const thread = await EngineThread.start(null, false);
    const waiting = [1, 2].map((n) => thread.query(`SELECT pg_sleep(${n})`, []));
    const refusals = Promise.allSettled(waiting);
    await thread.kill();
    const stopped = { code: 'unavailable', message: expect.stringContaining('stopped unexpectedly') };
    expect(await refusals).toMatchObject([{ reason: stopped }, { reason: stopped }]);
    expect(thread).toMatchObject({ failure: stopped, isLasting: false });
    await expect(thread.query('SELECT 1', [])).rejects.toBe(thread.failure);
    await thread.close();
  });

  it('does not start on a folder without a database, and gives the reason', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const why = { code: 'unavailable', message: expect.stringContaining('did not start: ') };
    await expect(EngineThread.start(file, true)).rejects.toMatchObject(why);
    await expect(EngineThread.create(file)).rejects.toMatchObject(why);
  });

  it('creates nothing when the database thread ends before the folder is complete', async () => {
    process.once('worker', (worker) => worker.once('online', () => void worker.terminate()));
    await expect(EngineThread.create(join(folder, 'new'))).rejects.toThrow('stopped unexpectedly');
  });

  it('releases the folder when the database thread cannot start', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const started = once(process, 'worker');
    await expect(EngineThread.start(file, true)).rejects.toThrow('did not start');
    const [worker] = await started;
    // The id of an ended thread.
    expect(worker.threadId).toBe(-1);
  });

  it("fails pending requests, not the process, when the database thread's code fails", async () => {
    const started = once(process, 'worker');
    const thread = await EngineThread.start(null, false);
    const [worker] = await started;
    const waiting = expect(thread.query('SELECT pg_sleep(1)', [])).rejects.toThrow('stopped unexpectedly');
    worker.emit('error', new Error('a fault of the engine'));
    await waiting;
    const { failure } = thread;
    await thread.kill();
    // Reports the first failure as the reason, not the end of the thread.
    expect(thread.failure).toBe(failure);
  });
});
