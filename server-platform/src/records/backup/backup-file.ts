import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { AccountError } from '../../accounts/index.ts';
import type { BackupPart } from './dump-rows.ts';

/**
 * Writes a backup to a file that only its owner can read: compressed lines of JSON. Replaces an earlier file only when
 * the new one is complete and flushed.
 */
export async function writeBackup(
  path: string,
  dump: (write: (part: BackupPart) => Promise<void>) => Promise<number>,
): Promise<number> {
  const unfinished = `${path}.part`;
  const file = await open(unfinished, 'wx', 0o600).catch((error: unknown) => {
    throw explain(error, unfinished);
  });
  try {
    const packed = createGzip();
    const written = pipeline(packed, createWriteStream('', { fd: file.fd, autoClose: false }));
    // Reported by the `await` below; without this, an earlier failure of the dump would leave it unhandled.
    written.catch(() => {});
    const count = await dump(async (part) => {
      const isFull = !packed.write(`${JSON.stringify(part)}\n`);
      if (isFull) await Promise.race([new Promise((resolve) => packed.once('drain', resolve)), written]);
    });
    packed.end();
    await written;
    await file.sync();
    await rename(unfinished, path);
    return count;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw explain(error, path);
  } finally {
    await file.close();
  }
}

/** Reads the parts of a backup. Rejects with an `AccountError` when the file is not a backup. */
export async function* readBackup(path: string): AsyncGenerator<BackupPart> {
  const unpacked = createGunzip();
  const read = pipeline(createReadStream(path), unpacked);
  read.catch(() => {});
  // Pieces of the incomplete line. A line has up to a hundred rows of up to 100 kB each, in many chunks.
  let pieces: string[] = [];
  try {
    for await (const chunk of unpacked.setEncoding('utf8')) {
      const [first = '', ...others] = String(chunk).split('\n');
      pieces.push(first);
      for (const next of others) {
        // Written by `writeBackup`; `restoreRows` checks the order, the tables and the types.
        yield JSON.parse(pieces.join('')) as BackupPart;
        pieces = [next];
      }
    }
    await read;
  } catch (error) {
    throw explain(error, path);
  }
}

function explain(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'EEXIST')
    return new AccountError(
      'exists',
      `${path} already exists: another backup is writing it, or was interrupted.`,
    );
  if (/^E[A-Z]+$/.test(code)) return new AccountError('exists', `${path} cannot be used: ${code}.`);
  if (code.startsWith('Z_') || error instanceof SyntaxError)
    return new AccountError('invalid', `${path} is not a complete backup. Nothing was written.`);
  return error;
}
