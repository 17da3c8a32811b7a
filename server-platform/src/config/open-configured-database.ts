import { type Database, migrate, openDatabase } from '../db/index.ts';
import type { PlatformConfig } from './load-config.ts';

/** Opens the configured database and brings its tables up to date. `onProgress` hears of slow steps. */
export async function openConfiguredDatabase(
  config: PlatformConfig,
  onProgress?: (line: string) => void,
): Promise<Database> {
  const { url, dataDir, durable, maxConnections } = config.database;
  const database = await openDatabase({
    ...(url === null ? { dataDir, durable } : { databaseUrl: url, maxConnections }),
    onProgress,
  });
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
