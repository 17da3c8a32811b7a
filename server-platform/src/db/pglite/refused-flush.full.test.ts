import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { LostFlushes } from '../../../test/db/lose-flushes.ts';

const REFUSE_FLUSHES = new URL('../../../test/db/refuse-flushes.ts', import.meta.url);
const CHILD = fileURLToPath(new URL('../../../test/db/lose-flushes.ts', import.meta.url));

it('acknowledges nothing after the disk refused a flush, until the platform is restarted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'natter-refused-flush-'));
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@natter/source', `--import=${REFUSE_FLUSHES.href}`, CHILD, join(folder, 'data')],
      { env: { ...process.env, NATTER_REFUSE_FLUSHES: join(folder, 'refuse') } },
    );
    // Printed by `lose-flushes.ts`, which uses the same type.
    const lost = JSON.parse(stdout) as LostFlushes;
    const refusal = 'unavailable: The disk refused a flush. Check the disk, then start the platform again.';
    expect(lost.refused).toEqual([refusal, refusal]);
    expect(lost.stored).toEqual(expect.arrayContaining([...lost.acknowledged]));
    // The row whose flush failed may exist; the one that was rejected before writing must not.
    expect(lost.stored).not.toContain(5);
    // Its files are flushed before it is opened.
    expect(lost.notCreated).toContain('EIO');
    expect(lost.notOpened).toMatch(/^(?:unavailable|not_durable): /);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
