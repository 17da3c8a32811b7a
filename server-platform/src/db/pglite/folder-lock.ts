import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseError } from '../database-error.ts';

/** An exclusive lock on a data folder. */
export type FolderLock = { readonly release: () => void };

/**
 * Locks the folder for this process, or fails with `locked`.
 *
 * Uses SQLite's lock on an otherwise empty file: a kernel lock that works on every system Node runs on, without a
 * native module. The kernel releases it when the process dies, so a crash leaves nothing to clean up, unlike a lock
 * file with a process id.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, 'lock');
  // Nothing else may open the file, because closing any second descriptor of it would release the lock. Hence the note
  // about the holder is in a separate file.
  closeSync(openSync(path, 'a'));
  const file = new DatabaseSync(path);
  try {
    file.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch {
    file.close();
    const holder = readHolder(folder);
    throw new DatabaseError(
      'locked',
      `The data folder ${folder} is in use by another process${holder === null ? '' : ` (process ${holder})`}. ` +
        'Stop that process, choose another folder, or use PostgreSQL (DATABASE_URL), which several processes can share.',
    );
  }
  writeFileSync(join(folder, 'holder'), `${process.pid}\n`);
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      file.close();
    },
  };
}

function readHolder(folder: string): number | null {
  try {
    const pid = Number(readFileSync(join(folder, 'holder'), 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    // The holder has not written its note yet.
    return null;
  }
}
