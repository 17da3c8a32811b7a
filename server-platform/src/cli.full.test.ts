import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PROGRAM_ENVIRONMENT } from '../test/run-platform.ts';

const CLI = fileURLToPath(new URL('cli.ts', import.meta.url));

it('keeps serving when its output pipe is closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'natter-unread-'));
  const args = ['--conditions=@natter/source', CLI, 'serve', '--port', '0', '--data', folder];
  const child = spawn(process.execPath, args, {
    env: PROGRAM_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let out = '';
  let err = '';
  child.stderr.on('data', (data) => {
    err += data;
  });
  const serving = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data;
      const address = /^Serving on (.+)$/m.exec(out)?.[1];
      if (address === undefined) return;
      child.stdout.destroy();
      resolve(address);
    });
    ended.then(() => reject(new Error(`It has ended: ${out} ${err}`)), reject);
  });
  try {
    const url = await serving;
    for (let asked = 0; asked < 20; asked += 1) {
      const { status } = await fetch(new URL('/livez', url));
      expect(status).toBe(200);
    }
    child.kill('SIGTERM');
    expect([await ended, err]).toEqual([[0, null], '']);
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
