import { readFile } from 'node:fs/promises';
import {
  AccountError,
  type CommandOutput,
  type ManageCommands,
  type ManageOptions,
  readCommandArguments,
} from '../../accounts/index.ts';
import { type Database, migrate, openDatabase, readPostgresAddress } from '../../db/index.ts';
import { readBackup, writeBackup } from './backup-file.ts';
import { copyRows } from './copy-rows.ts';
import { dumpRows } from './dump-rows.ts';
import { restoreRows } from './restore-rows.ts';

/** Environment variable with the target address of `migrate-to`. */
const TARGET_VARIABLE = 'NATTER_MIGRATE_TO_URL';

/** The commands for the whole database. */
export const BACKUP_COMMANDS: ManageCommands = {
  backup: { usage: 'FILE', run: backup, hasPath: true },
  restore: { usage: 'FILE', run: restore, hasPath: true, isOffline: true },
  'migrate-to': { usage: '[--url-file FILE | URL]', run: migrateTo, isOffline: true },
  'db migrate': { usage: '', run: migrated, mayMigrate: true },
};

async function backup(database: Database, args: readonly string[]): Promise<CommandOutput> {
  const [file] = readCommandArguments(args, BACKUP_COMMANDS, 'backup', 1);
  const rows = await writeBackup(file, (write) => dumpRows(database, write));
  return {
    lines: [`Wrote ${rows} rows to ${file}. It holds conversations and secrets: keep it safe.`],
    json: { file, rows },
  };
}

async function restore(database: Database, args: readonly string[]): Promise<CommandOutput> {
  const [file] = readCommandArguments(args, BACKUP_COMMANDS, 'restore', 1);
  const rows = await restoreRows(database, readBackup(file));
  return { lines: [`Restored ${rows} rows from ${file}.`], json: { file, rows } };
}

async function migrateTo(
  database: Database,
  args: readonly string[],
  { urlFile, onProgress = () => {} }: ManageOptions,
): Promise<CommandOutput> {
  if (database.engine !== 'pglite')
    throw new AccountError(
      'invalid',
      'migrate-to copies the embedded database. Copy PostgreSQL with pg_dump, or with backup and restore.',
    );
  const address = await readTargetUrl(args, urlFile, onProgress);
  const target = await openDatabase({ ...address, maxConnections: 2 });
  try {
    await migrate(target);
    let reportedAtMs = performance.now();
    const { rows, rowsBefore } = await copyRows(database, target, (table, count) => {
      if (performance.now() - reportedAtMs < PROGRESS_MS) return;
      reportedAtMs = performance.now();
      onProgress(`Copied ${count} rows so far; now ${table}.`);
    });
    const before = rowsBefore === 0 ? '' : `, ${rowsBefore} of them in an earlier run`;
    return {
      lines: [`Copied ${rows} rows${before}. Start the platform with DATABASE_URL set to the new database.`],
      json: { rows, rows_before: rowsBefore },
    };
  } finally {
    await target.close();
  }
}

const PROGRESS_MS = 5_000;

/** Returns the address of the other database: from a file, the environment or else the command line. */
async function readTargetUrl(
  args: readonly string[],
  urlFile: string | undefined,
  warn: (line: string) => void,
): Promise<{ readonly databaseUrl: string; readonly urlField: string }> {
  const targets = [args[0], urlFile, process.env[TARGET_VARIABLE]].filter((each) => each !== undefined);
  if (targets.length !== 1 || args.length > 1)
    throw new AccountError(
      'invalid',
      `Give the address of the new database once: --url-file FILE, the variable ${TARGET_VARIABLE}, or as an argument.`,
    );
  const field = urlFile !== undefined ? '--url-file' : args.length === 1 ? 'URL' : TARGET_VARIABLE;
  const url =
    urlFile === undefined
      ? (targets[0] ?? '')
      : await readFile(urlFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw new AccountError('invalid', `--url-file: ${urlFile} cannot be read: ${error.code}.`);
        });
  const address = readPostgresAddress(url.trim());
  if (typeof address === 'string') throw new AccountError('invalid', `${field}: ${address}.`);
  if (args.length === 1 && address.config.password !== undefined)
    warn(
      `The password is on the command line, where every user of this machine can read it. Use --url-file or ${TARGET_VARIABLE}.`,
    );
  return { databaseUrl: url.trim(), urlField: field };
}

async function migrated(): Promise<CommandOutput> {
  return { lines: ['The tables are up to date.'], json: { up_to_date: true } };
}
