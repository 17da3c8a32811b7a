import { listAccounts } from '../../accounts/index.ts';
import type { Database } from '../../db/index.ts';
import { type DevelopmentAccount, seedDevelopment } from './seed-development.ts';

/** Conditions for adding a development account. */
export type FirstStartOptions = {
  /** Whether this start created the embedded database. */
  readonly isNewFolder: boolean;
  /** Whether the operator asked for development conveniences (`--dev`). */
  readonly isDevelopment: boolean;
  /** Receives one line for the operator. */
  readonly print: (line: string) => void;
};

/**
 * Adds the development account to an embedded database without accounts if it is new, or with `--dev`. PostgreSQL never
 * gets one, because others may use that database. Resolves with the account's secrets; null when nothing was added.
 */
export async function prepareFirstStart(
  database: Database,
  { isNewFolder, isDevelopment, print }: FirstStartOptions,
): Promise<DevelopmentAccount | null> {
  const isShared = database.engine !== 'pglite';
  if (isShared && isDevelopment)
    print('--dev adds no account here, because DATABASE_URL names a database that others may use.');
  if ((await listAccounts(database)).length > 0) return null;
  if (isShared || !(isNewFolder || isDevelopment)) {
    print(
      `No account yet, so no client can connect. Add one with natter-platform account add, or in the file of --config${isShared ? '' : '; --dev adds one for development'}.`,
    );
    return null;
  }
  print(
    `${isNewFolder ? 'The database is new' : 'The database has no account'}: adding a development account, with a connector for pages on localhost and a key for every REST family. To start without it, list your own accounts in the file of --config.`,
  );
  return await seedDevelopment(database);
}
