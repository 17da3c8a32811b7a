import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseError } from '../database-error.ts';
import type { Database, QueryOptions, Sql, SqlValue } from '../sql.ts';
import { EngineThread } from './engine-thread.ts';
import { flushFolder } from './flushing-fs.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { startMaintenance } from './maintenance.ts';
import { RestartingEngine } from './restarting-engine.ts';
import { TransactionLock } from './transaction-lock.ts';

/** Options of the embedded database. */
export type PgliteOptions = {
  /** Folder, or `'memory'`. */
  readonly dataDir: string;
  readonly durable: boolean;
  readonly onProgress?: ((line: string) => void) | undefined;
};

// Subfolder of the data folder with the database's files.
const DATABASE_FOLDER = 'postgres';

/** Whether `dataDir` already contains an embedded database. One in memory is always new. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return dataDir !== 'memory' && existsSync(join(resolve(dataDir), DATABASE_FOLDER));
}

// The engine's major version; no other version can read its files.
const POSTGRES_MAJOR = '18';

/**
 * Opens the embedded database: PostgreSQL in WebAssembly, in a thread of this process, with exclusive access to a
 * folder.
 */
export async function openPglite(options: PgliteOptions): Promise<Database> {
  if (options.dataDir === 'memory') {
    const first = await EngineThread.start(null, false);
    return createDatabase(keep(first, null), false, () => undefined);
  }
  const folder = resolve(options.dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder);
  try {
    const first = await openFolder(folder, options);
    const reopen = (): Promise<EngineThread> => {
      options.onProgress?.('The embedded database failed. Reopening it …');
      return EngineThread.start(join(folder, DATABASE_FOLDER), options.durable);
    };
    return createDatabase(keep(first, reopen), options.durable, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openFolder(folder: string, options: PgliteOptions): Promise<EngineThread> {
  const data = join(folder, DATABASE_FOLDER);
  if (!existsSync(data)) {
    options.onProgress?.(`Creating the embedded database in ${folder} (once, some seconds) …`);
    // Under another name until every file is flushed, so that an interrupted first start is simply repeated.
    const unfinished = join(folder, 'postgres.unfinished');
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { mode: 0o700 });
    await EngineThread.create(unfinished);
    renameSync(unfinished, data);
    flushFolder(folder);
  }
  checkVersion(data);
  options.onProgress?.(`Opening the embedded database in ${folder} …`);
  return await EngineThread.start(data, options.durable);
}

function checkVersion(data: string): void {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (version === POSTGRES_MAJOR) return;
  throw new DatabaseError(
    'rejected',
    `The data folder was written by PostgreSQL ${version}, this version embeds ${POSTGRES_MAJOR}. Start the platform ` +
      'version that wrote it and move the data to a PostgreSQL server, or choose an empty folder.',
  );
}

function keep(
  first: EngineThread,
  reopen: (() => Promise<EngineThread>) | null,
): RestartingEngine<EngineThread> {
  return new RestartingEngine({ first, reopen, now: () => performance.now() });
}

function createDatabase(
  kept: RestartingEngine<EngineThread>,
  isDurable: boolean,
  release: FolderLock['release'],
): Database {
  const lock = new TransactionLock();
  let closing: Promise<void> | null = null;

  const refuseWhenClosed = (): void => {
    if (closing !== null) throw new DatabaseError('closed', 'The database was closed.');
  };
  const shutDown = async (): Promise<void> => {
    maintenance.stop();
    try {
      await lock.runExclusive(() => kept.close());
    } finally {
      release();
    }
  };

  const database: Database = {
    engine: 'pglite',
    isDurable,
    async query<Row extends object>(
      text: string,
      params: readonly SqlValue[] = [],
      how?: QueryOptions,
    ): Promise<readonly Row[]> {
      refuseWhenClosed();
      return await lock.runShared(async () => await runIn(await kept.engine())<Row>(text, params, how));
    },
    async tx(body) {
      refuseWhenClosed();
      return await lock.runExclusive(async () => {
        const run = runIn(await kept.engine());
        return await block(run, body, 'BEGIN', 'COMMIT', 'ROLLBACK', 1);
      });
    },
    async ping() {
      await database.query('SELECT 1');
    },
    async close() {
      closing ??= shutDown();
      await closing;
    },
  };
  const maintenance = startMaintenance(database);
  return database;
}

function runIn(engine: EngineThread): Sql['query'] {
  return async <Row extends object>(text: string, params: readonly SqlValue[] = [], how?: QueryOptions) =>
    (await engine.query(text, params, how)) as readonly Row[];
}

async function block<T>(
  run: Sql['query'],
  body: (sql: Sql) => Promise<T>,
  begin: string,
  commit: string,
  rollback: string,
  depth: number,
): Promise<T> {
  const savepoint = `level_${depth}`;
  const sql: Sql = {
    query: run,
    tx: (inner) =>
      block(
        run,
        inner,
        `SAVEPOINT ${savepoint}`,
        `RELEASE SAVEPOINT ${savepoint}`,
        `ROLLBACK TO SAVEPOINT ${savepoint}`,
        depth + 1,
      ),
  };
  await run(begin);
  try {
    const result = await body(sql);
    await run(commit);
    return result;
  } catch (error) {
    // If even that fails, the engine has stopped with its transaction; the first error is more useful.
    await run(rollback).catch(() => undefined);
    throw error;
  }
}
