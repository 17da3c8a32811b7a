import { PGlite, types } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { DatabaseError } from '../database-error.ts';
import { readSafeInteger } from '../read-safe-integer.ts';
import { dropEmptyDatabase, readEmptyDatabase, storeEmptyDatabase } from './empty-database.ts';
import { type FlushCounter, FlushingFs } from './flushing-fs.ts';

/** A running embedded engine and the flush counter of its file system. */
export type Engine = { readonly db: PGlite; readonly counter: FlushCounter };

// The package's own start parameters without `-F`, which disables fsync.
const BASE_PARAMS = [
  '--single',
  '-O',
  '-j',
  ...settings({
    search_path: 'public',
    exit_on_error: 'false',
    log_checkpoints: 'false',
    max_worker_processes: '0',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    io_method: 'sync',
    // Keeps the process at about 165 MB; the default allocates 128 MB for buffers alone.
    shared_buffers: '16MB',
    // Zeroing the log's next 16 MB segment blocks everything for the time of twenty commits. Its benefit, commits to
    // already allocated disk blocks, is not measurable here.
    wal_init_zero: 'off',
    // Statements are short, so compiling them costs more than it saves, and this build does not support it.
    jit: 'off',
  }),
];

const UNFLUSHED = settings({ fsync: 'off', synchronous_commit: 'off' });

const PARSERS = { [types.INT8]: readSafeInteger };

// Available; a database uses it only after CREATE EXTENSION.
const EXTENSIONS = { vector };

/** Starts the engine on a folder that holds a database. */
export async function startEngine(folder: string, isDurable: boolean): Promise<Engine> {
  const counter: FlushCounter = { flushes: 0, failure: null };
  const flushing = isDurable
    ? // The default method opens the log with O_DATASYNC, which the file system silently ignores.
      settings({ fsync: 'on', wal_sync_method: 'fsync', synchronous_commit: 'on' })
    : UNFLUSHED;
  const db = await PGlite.create({
    fs: new FlushingFs(folder, counter),
    startParams: [...BASE_PARAMS, ...flushing],
    parsers: PARSERS,
    extensions: EXTENSIONS,
  });
  return { db, counter };
}

/** Starts the engine in memory. */
export async function startMemoryEngine(): Promise<Engine> {
  return { db: await createEmpty({}), counter: { flushes: 0, failure: null } };
}

/** Creates an empty database in a folder and closes it. Its writes are not flushed yet. */
export async function createInFolder(folder: string): Promise<void> {
  const db = await createEmpty({ fs: new FlushingFs(folder, { flushes: 0, failure: null }) });
  await db.close();
}

async function createEmpty(where: { readonly fs?: FlushingFs }): Promise<PGlite> {
  const options = {
    ...where,
    startParams: [...BASE_PARAMS, ...UNFLUSHED],
    parsers: PARSERS,
    extensions: EXTENSIONS,
  };
  const kept = await readEmptyDatabase();
  if (kept !== null) {
    try {
      return await PGlite.create({ ...options, loadDataDir: kept });
    } catch (error) {
      await dropEmptyDatabase();
      // In memory, another attempt starts from nothing; a folder is half filled by now and must be emptied first.
      if (where.fs !== undefined) throw error;
    }
  }
  const db = await PGlite.create(options);
  await storeEmptyDatabase(await db.dumpDataDir('gzip'));
  return db;
}

/**
 * Commits once and counts the flushes. Rejects with `not_durable` if there were none, because a power failure would
 * then lose committed rows.
 */
export async function proveDurable({ db, counter }: Engine): Promise<void> {
  const before = counter.flushes;
  // A transactional log message is a commit without a table.
  await db.query("SELECT pg_logical_emit_message(true, 'natter', 'flush test')");
  if (counter.flushes > before && counter.failure === null) return;
  throw new DatabaseError(
    'not_durable',
    'A test commit was not flushed to disk, so accepted messages could be lost. Check the file system of the data ' +
      'folder, or use PostgreSQL (DATABASE_URL). To run without the guarantee, for tests only, set durable to false.',
  );
}

function settings(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
