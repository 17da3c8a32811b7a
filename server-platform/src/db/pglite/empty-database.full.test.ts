import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { dropEmptyDatabase, readEmptyDatabase, storeEmptyDatabase } from './empty-database.ts';
import { createInFolder, startMemoryEngine } from './start-engine.ts';

// The cached file is shared, so these tests only read it.
vi.mock(import('./empty-database.ts'));

beforeEach(() => vi.clearAllMocks());

const isPresent = async (): Promise<unknown> => {
  const { db } = await startMemoryEngine();
  const { rows } = await db.query('SELECT 1 AS one');
  await db.close();
  return rows;
};

it('keeps the first empty database as a template, and starts from it', async () => {
  vi.mocked(readEmptyDatabase).mockResolvedValue(null);
  expect(await isPresent()).toEqual([{ one: 1 }]);
  expect(storeEmptyDatabase).toHaveBeenCalledOnce();
  const kept = vi.mocked(storeEmptyDatabase).mock.calls[0]?.[0] ?? new Blob();
  vi.mocked(readEmptyDatabase).mockResolvedValue(kept);
  expect(await isPresent()).toEqual([{ one: 1 }]);
  expect(storeEmptyDatabase).toHaveBeenCalledOnce();
  expect(dropEmptyDatabase).not.toHaveBeenCalled();
});

it('removes a template that cannot be loaded, and creates another in memory; a folder must be emptied first', async () => {
  vi.mocked(readEmptyDatabase).mockResolvedValue(new Blob(['broken']));
  expect(await isPresent()).toEqual([{ one: 1 }]);
  expect(dropEmptyDatabase).toHaveBeenCalledOnce();
  expect(storeEmptyDatabase).toHaveBeenCalledOnce();
  const folder = await mkdtemp(join(tmpdir(), 'natter-engine-'));
  await expect(createInFolder(folder)).rejects.toThrow();
  expect(dropEmptyDatabase).toHaveBeenCalledTimes(2);
  expect(storeEmptyDatabase).toHaveBeenCalledOnce();
  await rm(folder, { recursive: true });
});
