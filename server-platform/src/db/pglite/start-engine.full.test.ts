import fs from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlushCounter } from './flushing-fs.ts';
import { createInFolder, type Engine, proveDurable, startEngine } from './start-engine.ts';

// Offset of the field `state` in `pg_control`, and its value after an orderly shutdown.
const STATE_OFFSET = 16;
const SHUT_DOWN = 1;

describe('the flushes of the embedded database', () => {
  let folder: string;
  let stateAfterCreation: number;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-engine-'));
    await createInFolder(folder);
    stateAfterCreation = (await readFile(join(folder, 'global', 'pg_control'))).readUInt32LE(STATE_OFFSET);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('creates a database that was shut down cleanly', () => {
    expect(stateAfterCreation).toBe(SHUT_DOWN);
  });

  it('flushes the database on every commit, but not for reads', async () => {
    const engine = await startEngine(folder, true);
    await engine.db.exec('CREATE TABLE IF NOT EXISTS notes (id int)');
    const flushesOf = async (statement: string): Promise<number> => {
      const before = engine.counter.flushes;
      await engine.db.query(statement);
      return engine.counter.flushes - before;
    };
    expect(await flushesOf('INSERT INTO notes VALUES (1)')).toBe(1);
    expect(await flushesOf('INSERT INTO notes VALUES (2), (3)')).toBe(1);
    expect(await flushesOf('SELECT * FROM notes')).toBe(0);
    await expect(proveDurable(engine)).resolves.toBeUndefined();
    await engine.db.close();
  });

  it("flushes folders too, so that a file's new name survives", async () => {
    const engine = await startEngine(folder, true);
    const flush = fs.fsyncSync;
    let folders = 0;
    fs.fsyncSync = (file) => {
      if (fs.fstatSync(file).isDirectory()) folders += 1;
      flush(file);
    };
    syncBuiltinESMExports();
    try {
      const before = engine.counter.flushes;
      await engine.db.exec(`ALTER SYSTEM SET work_mem = '7MB'`);
      expect(folders).toBe(1);
      expect(engine.counter.flushes).toBeGreaterThan(before + folders);
    } finally {
      fs.fsyncSync = flush;
      syncBuiltinESMExports();
      await engine.db.close();
    }
  });

  it('does not call a folder durable whose flushes are missing', async () => {
    const engine = await startEngine(folder, false);
    await expect(proveDurable(engine)).rejects.toMatchObject({ code: 'not_durable' });
    await engine.db.close();
  });

  it('does not call a folder durable when one flush failed', async () => {
    const counter: FlushCounter = { flushes: 0, failure: null };
    const query = async (): Promise<void> => {
      counter.flushes += 1;
      counter.failure = new Error('the disk is broken');
    };
    const engine = { db: { query }, counter } as unknown as Engine;
    await expect(proveDurable(engine)).rejects.toMatchObject({ code: 'not_durable' });
  });

  it('keeps a replaced file readable at every moment', async () => {
    const engine = await startEngine(folder, true);
    // ALTER SYSTEM writes a new file and renames it over the old one.
    for (const value of ['8MB', '9MB', '10MB'])
      await engine.db.exec(`ALTER SYSTEM SET work_mem = '${value}'`);
    await engine.db.close();
    const again = await startEngine(folder, true);
    const { rows } = await again.db.query<{ work_mem: string }>('SHOW work_mem');
    expect(rows).toEqual([{ work_mem: '10MB' }]);
    await again.db.close();
  });
});
