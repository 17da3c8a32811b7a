import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AudioStore } from './audio-store.ts';

/** Stored audio as read. */
export type AudioContent =
  | { readonly status: 'found'; readonly path: string; readonly expiresAtMs: number }
  /** The address was changed or has expired. */
  | { readonly status: 'refused' };

/** A folder of audio files with signed addresses. */
export interface DiskStore extends AudioStore {
  /** Finds an address's file while the address is valid. */
  find(name: string, signature: string, nowMs: number): AudioContent;
  /** Removes files whose address has expired. A failure does not block the others. */
  sweep(nowMs: number, onFailure: (error: unknown) => void): Promise<void>;
}

// The expiry, and 192 random bits.
const NAME = /^(\d{10,12})-[\w-]{32}\.wav(\.part)?$/;

/** Opens the folder. `key` signs addresses; nodes that share the folder must share the key. */
export async function openDiskStore(folder: string, key: Uint8Array): Promise<DiskStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sign = (name: string): string => createHmac('sha256', key).update(name).digest('base64url');
  return {
    createName: ({ nowMs, lifetimeSeconds }) =>
      `${Math.ceil(nowMs / 1000) + lifetimeSeconds}-${randomBytes(24).toString('base64url')}.wav`,
    async keep(name, audio, { origin }) {
      await writeWhole(folder, name, audio);
      return `${origin}/audio/${name}?signature=${sign(name)}`;
    },
    async remove(name) {
      // Names come from the database; no other name may lead out of the folder.
      if (expiryOf(name) === null) return false;
      try {
        await rm(join(folder, name));
        return true;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
        throw error;
      }
    },
    find(name, signature, nowMs) {
      const expiresAtMs = expiryOf(name);
      const isSigned = isSame(signature, sign(name));
      return expiresAtMs === null || !isSigned || nowMs >= expiresAtMs
        ? { status: 'refused' }
        : { status: 'found', path: join(folder, name), expiresAtMs };
    },
    async sweep(nowMs, onFailure) {
      for (const name of await readdir(folder)) {
        const expiresAtMs = expiryOf(name);
        if (expiresAtMs === null || nowMs < expiresAtMs) continue;
        await rm(join(folder, name), { force: true }).catch(onFailure);
      }
    },
  };
}

function expiryOf(name: string): number | null {
  const [, seconds] = NAME.exec(name) ?? [];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

function isSame(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Writes a file atomically; acknowledged files survive a power failure. */
async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const draft = join(folder, `${name}.part`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, name));
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
