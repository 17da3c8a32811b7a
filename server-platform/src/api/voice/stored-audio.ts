import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, asc, count, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import { type Database, type QueryBuilder, queryBuilder, storedAudio } from '../../db/index.ts';
import type { AudioStore, KeepOptions } from './audio-store.ts';
import { type DiskStore, openDiskStore } from './disk-store.ts';
import { createObjectStore, type ObjectStoreSettings } from './object-store.ts';
import { SpeechError } from './speech-provider.ts';

/** Options of the audio storage. */
export interface StoredAudioOptions {
  readonly database: Database;
  /** Data folder; `'memory'`: a temporary folder, removed with the process. */
  readonly dataDir: string;
  /** Null: all files are stored on disk. */
  readonly objectStore: ObjectStoreSettings | null;
  /** Signs file addresses. */
  readonly key: Uint8Array;
  /**
   * Whether this process can access every file: nodes can, because they share the folder. The command line on another
   * machine cannot, and leaves missing files to a node. Default: true.
   */
  readonly seesAllFiles?: boolean;
}

/** The audio to store, and its owner. */
export interface KeepAudioOptions extends KeepOptions {
  readonly projectId: string;
  /** Whether to use the bucket, if there is one. */
  readonly isStored: boolean;
}

/** Audio files, each with a database row, so that they can be found and removed. */
export interface StoredAudio {
  readonly disk: DiskStore;
  /**
   * Stores audio and resolves with its address. Fails with a `SpeechError` `busy` when the project has too many files.
   */
  keep(audio: Uint8Array<ArrayBuffer>, options: KeepAudioOptions): Promise<string>;
  /** Removes files whose address has expired. */
  sweep(nowMs: number, onFailure: (error: unknown) => void): Promise<void>;
  /** Removes files marked by retention or an erasure. Never rejects. */
  removeErased(onFailure: (error: unknown) => void): Promise<void>;
  close(): Promise<void>;
}

// Maximum time that a file is kept on disk.
const KEPT_MS = 3_600_000;
// The longest address of a file on disk lasts an hour.
const DISK_ROWS_MS = 2 * 60 * 60_000;
const REMOVED_AT_ONCE = 500;

type Place = 'disk' | 'bucket';

/** Opens the folder, and the bucket if there is one. */
export async function openStoredAudio(options: StoredAudioOptions): Promise<StoredAudio> {
  const { database, objectStore, key, seesAllFiles = true } = options;
  const build = queryBuilder(database);
  const { folder, remove } = await chooseFolder(options.dataDir);
  const disk = await openDiskStore(folder, key);
  const stores: Readonly<Record<Place, AudioStore | null>> = {
    disk,
    bucket: objectStore === null ? null : createObjectStore(objectStore),
  };
  return {
    disk,
    async keep(audio, { projectId, isStored, ...how }) {
      const place = isStored && stores.bucket !== null ? 'bucket' : 'disk';
      const store = stores[place] ?? disk;
      const name = store.createName(how);
      if (await isFull(build, projectId, how.nowMs))
        throw new SpeechError('busy', 'Too many previews are stored.');
      // The row first, because a file without a row could not be found again.
      await build.insert(storedAudio).values({ name, projectId, place, createdAt: how.nowMs });
      return await store.keep(name, audio, how);
    },
    async sweep(nowMs, onFailure) {
      await disk.sweep(nowMs, onFailure);
      const isOld = lt(storedAudio.createdAt, nowMs - DISK_ROWS_MS);
      await build
        .delete(storedAudio)
        .where(and(eq(storedAudio.place, 'disk'), isOld, isNull(storedAudio.erasedAt)));
    },
    async removeErased(onFailure) {
      const rows = await listErased(build).catch((error: unknown) => {
        onFailure(error);
        return [];
      });
      for (const { name, place } of rows) {
        const store = stores[place];
        // Without the bucket's settings its objects cannot be removed: the row stays until a node has them.
        if (store === null) continue;
        try {
          const wasThere = await store.remove(name);
          if (wasThere || seesAllFiles) await build.delete(storedAudio).where(eq(storedAudio.name, name));
        } catch (error) {
          onFailure(error);
        }
      }
    },
    close: remove,
  };
}

// Per project, within the time that files are kept on disk.
const MAX_STORED = 1_000;

async function isFull(build: QueryBuilder, projectId: string, nowMs: number): Promise<boolean> {
  const [row] = await build
    .select({ stored: count() })
    .from(storedAudio)
    .where(and(eq(storedAudio.projectId, projectId), gt(storedAudio.createdAt, nowMs - KEPT_MS)));
  return (row?.stored ?? 0) >= MAX_STORED;
}

async function listErased(
  build: QueryBuilder,
): Promise<readonly { readonly name: string; readonly place: Place }[]> {
  return await build
    .select({ name: storedAudio.name, place: storedAudio.place })
    .from(storedAudio)
    .where(isNotNull(storedAudio.erasedAt))
    .orderBy(asc(storedAudio.erasedAt))
    .limit(REMOVED_AT_ONCE);
}

/** The data folder, or for an in-memory database a temporary folder that is removed with the process. */
async function chooseFolder(
  dataDir: string,
): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  if (dataDir !== 'memory') return { folder: join(dataDir, 'audio'), remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'natter-audio-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
