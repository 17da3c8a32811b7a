import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { EngineThread } from '../db/pglite/engine-thread.ts';
import { createLogger } from '../kit/logger.ts';
import { startPlatform } from './start-platform.ts';

it('releases its folder before the shutdown ends, even when the database takes long to close', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'natter-platform-'));
  const options = { dataDir: folder, port: 0, logger: createLogger('silent') };
  const { close } = EngineThread.prototype;
  const closing = vi.spyOn(EngineThread.prototype, 'close').mockImplementation(async function (
    this: EngineThread,
  ) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await close.call(this);
  });
  try {
    await (await startPlatform(options)).close();
    expect(closing).toHaveBeenCalled();
    await (await startPlatform(options)).close();
  } finally {
    closing.mockRestore();
    await rm(folder, { recursive: true, force: true });
  }
});
