import { AccountError, type CommandOutput, type ManageCommands, takeWords } from '../accounts/index.ts';
import { type Database, migrate, openDatabase } from '../db/index.ts';
import { readBackup, writeBackup } from './backup-file.ts';
import { type BackupPart, dumpRows } from './dump-rows.ts';
import { restoreRows } from './restore-rows.ts';

/** The commands about the whole of the data. */
export const BACKUP_COMMANDS: ManageCommands = {
  backup: { usage: 'FILE', run: backup, hasPath: true },
  restore: { usage: 'FILE', run: restore, hasPath: true, isOffline: true },
  'migrate-to': { usage: 'URL', run: migrateTo, isOffline: true },
  'db migrate': { usage: '', run: migrated, mayMigrate: true },
};

async function backup(database: Database, words: readonly string[]): Promise<CommandOutput> {
  const [file] = takeWords(words, BACKUP_COMMANDS, 'backup', 1);
  const rows = await writeBackup(file, (write) => dumpRows(database, write));
  return {
    lines: [`Wrote ${rows} rows to ${file}. It holds conversations and secrets: keep it safe.`],
    json: { file, rows },
  };
}

async function restore(database: Database, words: readonly string[]): Promise<CommandOutput> {
  const [file] = takeWords(words, BACKUP_COMMANDS, 'restore', 1);
  const rows = await restoreRows(database, readBackup(file));
  return { lines: [`Restored ${rows} rows from ${file}.`], json: { file, rows } };
}

async function migrateTo(database: Database, words: readonly string[]): Promise<CommandOutput> {
  const [url] = takeWords(words, BACKUP_COMMANDS, 'migrate-to', 1);
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new AccountError('invalid', 'The address must begin with postgres://');
  const target = await openDatabase({ databaseUrl: url, maxConnections: 2 });
  try {
    await migrate(target);
    const rows = await copyRows(database, target);
    return {
      lines: [`Copied ${rows} rows. Start the platform with DATABASE_URL set to the new database.`],
      json: { rows },
    };
  } finally {
    await target.close();
  }
}

async function migrated(): Promise<CommandOutput> {
  return { lines: ['The tables are up to date.'], json: { up_to_date: true } };
}

/** Copies everything into an empty database, all or nothing; neither side holds more than a few rows in memory. */
export async function copyRows(source: Database, target: Database): Promise<number> {
  const { readable, writable } = new TransformStream<BackupPart, BackupPart>();
  const writer = writable.getWriter();
  const dumped = dumpRows(source, async (part) => {
    await writer.ready;
    await writer.write(part);
  }).then(
    () => writer.close(),
    (error: unknown) => writer.abort(error),
  );
  try {
    return await restoreRows(target, readable);
  } finally {
    // After a failure the other side waits for a reader.
    await readable.cancel().catch(() => {});
    await dumped.catch(() => {});
  }
}
