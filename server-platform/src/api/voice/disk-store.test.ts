import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTone } from '../../../test/api/voice/tone.ts';
import { type DiskStore, openDiskStore } from './disk-store.ts';

const NOW = 1_700_000_000_123;

describe('audio on the disk', () => {
  let folder: string;
  let store: DiskStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-disk-'));
    store = await openDiskStore(join(folder, 'audio'), Buffer.alloc(32, 1));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const refuse = (error: unknown): never => {
    throw error;
  };
  const keep = async (lifetimeSeconds = 600) => {
    const audio = createTone(10);
    const options = {
      contentType: 'audio/wav',
      nowMs: NOW,
      lifetimeSeconds,
      origin: 'https://api.example.com',
    };
    const url = new URL(await store.keep(store.createName(options), audio, options));
    const name = url.pathname.replace('/audio/', '');
    return { url, name, signature: url.searchParams.get('signature') ?? '', audio };
  };

  it('writes audio files atomically, readable by the owner only, with names that cannot be guessed', async () => {
    const { url, name, audio } = await keep();
    expect(url.origin).toBe('https://api.example.com');
    const path = join(folder, 'audio', name);
    expect(new Uint8Array(await readFile(path))).toEqual(audio);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'audio'))).toEqual([name]);
    expect((await keep()).name).not.toBe(name);
  });

  it('opens audio until its address expires', async () => {
    const { name, signature } = await keep(600);
    const last = Math.ceil(NOW / 1000) * 1000 + 600_000;
    expect(store.find(name, signature, last - 1)).toMatchObject({ status: 'found', expiresAtMs: last });
    expect(store.find(name, signature, last)).toEqual({ status: 'refused' });
  });

  it('refuses audio with another signature, name or expiry', async () => {
    const { name, signature } = await keep();
    const refused = { status: 'refused' };
    expect(store.find(name, '', NOW)).toEqual(refused);
    expect(store.find(name, `${signature.slice(1)}A`, NOW)).toEqual(refused);
    expect(store.find(name.replace(/^\d+/, '9999999999'), signature, NOW)).toEqual(refused);
    expect(store.find('../../etc/passwd', signature, NOW)).toEqual(refused);
    const other = await openDiskStore(join(folder, 'audio'), Buffer.alloc(32, 2));
    expect(other.find(name, signature, NOW)).toEqual(refused);
  });

  it('removes expired audio, and no other file', async () => {
    const short = await keep(600);
    const long = await keep(3_600);
    await store.sweep(NOW + 601_000, refuse);
    expect(await readdir(join(folder, 'audio'))).toEqual([long.name]);
    expect(short.name).not.toBe(long.name);
  });

  it('removes expired audio although another file cannot be removed', async () => {
    const failures: unknown[] = [];
    // Folders under these names cannot be removed as files. Several, because folders are listed in no fixed order.
    const stuck = Array.from({ length: 8 }, (_, n) => `1700000001-${String(n).repeat(32)}.wav`);
    for (const name of stuck) await mkdir(join(folder, 'audio', name));
    for (let n = 0; n < 8; n += 1) await keep(600);
    await store.sweep(NOW + 601_000, (error) => failures.push(error));
    expect((await readdir(join(folder, 'audio'))).sort()).toEqual(stuck);
    expect(failures).toHaveLength(8);
  });
});
