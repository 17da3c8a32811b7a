import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { FilledDisk } from '../../../test/db/fill-disk.ts';

const FULL_DISK = new URL('../../../test/db/full-disk.ts', import.meta.url);
const CHILD = fileURLToPath(new URL('../../../test/db/fill-disk.ts', import.meta.url));

it('rejects writes on a full disk, keeps acknowledged data, and accepts writes once there is room', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'natter-full-disk-'));
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@natter/source', `--import=${FULL_DISK.href}`, CHILD, join(folder, 'data')],
      { env: { ...process.env, NATTER_FULL_DISK: join(folder, 'full') } },
    );
    // Printed by `fill-disk.ts`, which uses the same type.
    const filled = JSON.parse(stdout) as FilledDisk;
    // No room for a row: nothing was written. No room for the log: the engine breaks and cannot be reopened.
    expect(filled.tableFull).toEqual(['overloaded', 'overloaded', 'overloaded']);
    expect(filled.logFull).toEqual(['unavailable', 'unavailable', 'unavailable']);
    expect(filled.stored).toEqual(expect.arrayContaining([...filled.acknowledged]));
    expect(filled.acknowledged.length).toBeGreaterThan(300);
    expect(filled.stored.filter((id) => filled.refused.includes(id))).toEqual([]);
    expect(new Set(filled.stored).size).toBe(filled.stored.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
