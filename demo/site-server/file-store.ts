import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { IncomingFile } from '@natter/token-proxy';

/** Files of visitors in a folder. */
export interface FileStore {
  /** The hook of the token proxy. */
  readonly onUpload: (file: IncomingFile) => Promise<string | null>;
  /** The answer to a request for a file; 404 for anything that this store has not written. */
  read(id: string, name: string): Promise<Response>;
}

/** 128 random bits: the address alone gives access to the file. */
const ID = /^[0-9a-f]{32}$/;
/** The stored names of files, independent of their original names. Their ending is one of a few, given by the token proxy. */
const STORED = /^file\.([a-z]{3,4})$/;
/** All files together; beyond it none is taken. */
const MAX_STORED_FILES = 500;

/** Shown by browsers as pictures. Everything else is only downloaded. */
const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/**
 * Keeps files in `folder`, each in a separate folder with an unguessable name. No name of a visitor gets into a path. A file
 * whose upload breaks off is removed. `baseUrl` is where `read` is served.
 */
export function createFileStore(
  folder: string,
  baseUrl: () => string,
  maxFiles: number = MAX_STORED_FILES,
): FileStore {
  let lastPlace: Promise<string | null> = Promise.resolve(null);
  /** Makes the folder of one more file; null: there are enough. One at a time, so that none is counted too late. */
  const takePlace = (): Promise<string | null> => {
    const take = async (): Promise<string | null> => {
      await mkdir(folder, { recursive: true });
      if ((await readdir(folder)).length >= maxFiles) return null;
      const id = randomBytes(16).toString('hex');
      await mkdir(join(folder, id));
      return id;
    };
    lastPlace = lastPlace.then(take, take);
    return lastPlace;
  };
  return {
    async onUpload({ name, body, signal }) {
      const id = await takePlace();
      if (id === null) return null;
      const place = join(folder, id);
      const part = join(place, 'part');
      try {
        // The types of web streams and of Node differ only in unused parts.
        const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
        await pipeline(source, createWriteStream(part, { flags: 'wx' }), { signal });
        await rename(part, join(place, `file.${endingOf(name)}`));
      } catch (error) {
        await rm(place, { recursive: true, force: true });
        throw error;
      }
      return `${baseUrl()}/${id}/${encodeURIComponent(name)}`;
    },

    async read(id, name) {
      const headers = {
        'Cache-Control': 'private, max-age=3600',
        // Nothing in a file may run or load anything, even if a browser showed it.
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'same-site',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      };
      const missing = (): Response => new Response('File not found.', { status: 404, headers });
      if (!ID.test(id)) return missing();
      const stored = (await readdir(join(folder, id)).catch(() => [])).find((each) => STORED.test(each));
      if (stored === undefined) return missing();
      const path = join(folder, id, stored);
      const picture = PICTURES[endingOf(stored)];
      const { size } = await stat(path);
      return new Response(readLate(path), {
        headers: {
          ...headers,
          'Content-Length': String(size),
          'Content-Type': picture ?? 'application/octet-stream',
          'Content-Disposition':
            picture === undefined ? `attachment; filename*=UTF-8''${encodeURIComponent(name)}` : 'inline',
        },
      });
    },
  };
}

/** Reads a file that is opened with the first read: an answer to HEAD is never read, nor closed. */
function readLate(path: string): ReadableStream<Uint8Array> {
  const read = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield* createReadStream(path);
  };
  const stream = Readable.toWeb(Readable.from(read()), { strategy: { highWaterMark: 0 } });
  return stream as ReadableStream<Uint8Array>;
}
