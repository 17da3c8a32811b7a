import {
  AccountError,
  type CommandOutput,
  type ManageCommands,
  type ManageOptions,
  readCommandArguments,
  requireProject,
} from '../../accounts/index.ts';
import type { ObjectStoreSettings } from '../../api/voice/index.ts';
import { openStoredAudio } from '../../api/voice/index.ts';
import type { Database } from '../../db/index.ts';
import { type EraseSubject, erase } from './erase.ts';
import type { RemovedRows } from './removed-rows.ts';

/** Options of the erasing commands, in addition to every command's. */
export type EraseOptions = ManageOptions & {
  /** Where audio is stored. */
  readonly audio?: { readonly dataDir: string; readonly objectStore: ObjectStoreSettings | null } | undefined;
};

/** The commands for permanent erasure. */
export const ERASURE_COMMANDS: ManageCommands = {
  'erase conversation': {
    usage: 'ACCOUNT PROJECT CONVERSATION',
    run: (database, args, options) => eraseOf('conversation', database, args, options),
  },
  'erase session': {
    usage: 'ACCOUNT PROJECT SESSION',
    run: (database, args, options) => eraseOf('session', database, args, options),
  },
  'erase user': {
    usage: 'ACCOUNT PROJECT USER',
    run: (database, args, options) => eraseOf('user', database, args, options),
  },
};

async function eraseOf(
  kind: EraseSubject['kind'],
  database: Database,
  args: readonly string[],
  { audio }: EraseOptions,
): Promise<CommandOutput> {
  const [accountReference, projectReference, id] = readCommandArguments(
    args,
    ERASURE_COMMANDS,
    `erase ${kind}`,
    3,
  );
  const project = await requireProject(database, accountReference, projectReference);
  const removed = await erase(database, project, { kind, id });
  if (removed === null) {
    const of = `${accountReference}/${projectReference}`;
    throw new AccountError(
      'not_found',
      kind === 'user'
        ? `Nothing of the user "${id}" is stored in ${of}. Nothing was erased.`
        : `There is no ${kind} "${id}" in ${of}. Nothing was erased.`,
    );
  }
  const failures = audio === undefined ? [] : await removeAudio(database, audio);
  return { lines: [...describeRemoved(removed), ...failures], json: { erased: removed.counts, failures } };
}

/** Formats removed rows by table for people. */
export function describeRemoved(removed: RemovedRows): readonly string[] {
  const counts = Object.entries(removed.counts).filter(([, count]) => count > 0);
  return [`Erased ${removed.total} rows:`, ...counts.map(([table, count]) => `  ${table} ${count}`)];
}

/** Removes marked audio files. Resolves with the failures, which a node of the platform retries. */
export async function removeAudio(
  database: Database,
  { dataDir, objectStore }: NonNullable<EraseOptions['audio']>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  // Only the embedded database is always on the same machine as the files; no addresses are signed here.
  const seesAllFiles = database.engine === 'pglite';
  const key = new Uint8Array();
  const audio = await openStoredAudio({ database, dataDir, objectStore, key, seesAllFiles });
  await audio.removeErased((error) =>
    failures.push(
      `Audio could not be removed yet; the platform tries again: ${error instanceof Error ? error.message : 'unknown failure'}`,
    ),
  );
  await audio.close();
  return failures;
}
