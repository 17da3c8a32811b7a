import {
  AccountError,
  type CommandOutput,
  type ManageCommands,
  readCommandArguments,
  requireAccount,
  requireConnector,
  requireProject,
} from '../../accounts/index.ts';
import type { Database } from '../../db/index.ts';
import { describeRemoved, type EraseOptions, removeAudio } from './manage-erasure.ts';
import { countRemoval, type RemovalSubject } from './removal-scope.ts';
import { removeScope } from './remove-scope.ts';

/** The commands that remove an account, a project or a connector with all its data. */
export const REMOVAL_COMMANDS: ManageCommands = {
  'account remove': {
    usage: 'ACCOUNT [--yes]',
    async run(database, args, options) {
      const [reference] = readCommandArguments(args, REMOVAL_COMMANDS, 'account remove', 1);
      const { id, slug } = await requireAccount(database, reference);
      return await remove(database, { kind: 'account', id }, slug, options);
    },
  },
  'project remove': {
    usage: 'ACCOUNT PROJECT [--yes]',
    async run(database, args, options) {
      const [account, reference] = readCommandArguments(args, REMOVAL_COMMANDS, 'project remove', 2);
      const { id, slug } = await requireProject(database, account, reference);
      return await remove(database, { kind: 'project', id }, `${account}/${slug}`, options);
    },
  },
  'connector remove': {
    usage: '(ID | ACCOUNT PROJECT NAME) [--yes]',
    async run(database, args, options) {
      const { id, name } = await requireConnector(database, args, REMOVAL_COMMANDS, 'connector remove');
      return await remove(database, { kind: 'connector', id }, name, options);
    },
  },
};

async function remove(
  database: Database,
  subject: RemovalSubject,
  name: string,
  { isConfirmed = false, audio }: EraseOptions,
): Promise<CommandOutput> {
  if (!isConfirmed) {
    const counts = Object.entries(await countRemoval(database, subject)).filter(([, count]) => count > 0);
    throw new AccountError(
      'invalid',
      [
        `The ${subject.kind} ${name} would be removed permanently${counts.length === 0 ? '.' : ', and with it:'}`,
        ...counts.map(([what, count]) => `  ${what.replaceAll('_', ' ')} ${count}`),
        'Nothing was removed. Add --yes to remove it. The next start creates what the configuration file names again, empty.',
      ].join('\n'),
    );
  }
  const removed = await removeScope(database, subject);
  if (removed === null)
    throw new AccountError('not_found', `The ${subject.kind} ${name} was removed in the meantime.`);
  const failures = audio === undefined ? [] : await removeAudio(database, audio);
  return {
    lines: [`Removed ${subject.kind} ${name}.`, ...describeRemoved(removed), ...failures],
    json: { removed: subject.id, erased: removed.counts, failures },
  };
}
