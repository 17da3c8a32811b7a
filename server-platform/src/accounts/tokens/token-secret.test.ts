import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadOrCreateTokenSecret, tokenSecretFromText } from './token-secret.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'natter-secret-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('token secret', () => {
  it('creates a token secret on the first start, readable by its owner only, and keeps it', async () => {
    const path = join(folder, 'deeper', 'token-secret');
    const first = await loadOrCreateTokenSecret(path);
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await loadOrCreateTokenSecret(path)).toEqual(first);
    expect((await readFile(path, 'utf8')).trim()).toBe(Buffer.from(first).toString());
  });

  it('creates one token secret for two concurrent starts', async () => {
    const path = join(folder, 'token-secret');
    const [a, b] = await Promise.all([loadOrCreateTokenSecret(path), loadOrCreateTokenSecret(path)]);
    expect(a).toEqual(b);
    expect(await readdir(folder)).toEqual(['token-secret']);
  });

  it('refuses a token secret that others can read', async () => {
    const path = join(folder, 'token-secret');
    await loadOrCreateTokenSecret(path);
    await chmod(path, 0o644);
    await expect(loadOrCreateTokenSecret(path)).rejects.toThrow('chmod 600');
  });

  it('refuses a short token secret', () => {
    expect(() => tokenSecretFromText('short')).toThrow('at least 32');
  });
});
