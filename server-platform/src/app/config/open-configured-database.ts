import {
  type Database,
  DatabaseError,
  listMissingMigrations,
  migrate,
  openDatabase,
  refuseUnfinishedCopy,
} from '../../db/index.ts';
import type { PlatformConfig } from './load-config.ts';

/**
 * Opens the configured database and migrates its tables, but tables of an earlier release only with `mayMigrate`. A new
 * database always gets its tables. `onProgress` receives slow steps.
 */
export async function openConfiguredDatabase(
  config: PlatformConfig,
  {
    onProgress,
    mayMigrate,
  }: { readonly onProgress?: ((line: string) => void) | undefined; readonly mayMigrate: boolean },
): Promise<Database> {
  const { url, dataDir, durable, maxConnections } = config.database;
  const database = await openDatabase({
    ...(url === null ? { dataDir, durable } : { databaseUrl: url, maxConnections }),
    onProgress,
  });
  try {
    await refuseUnfinishedCopy(database);
    const missing = mayMigrate ? null : await listMissingMigrations(database);
    if (missing !== null && missing.length > 0) throw tooOld(missing);
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function tooOld(missing: readonly string[]): DatabaseError {
  return new DatabaseError(
    'rejected',
    `The database has the tables of an earlier release (${missing.length} migrations are missing). Make a backup with that release; then run: natter-platform db migrate. Starting this release does it too.`,
  );
}
