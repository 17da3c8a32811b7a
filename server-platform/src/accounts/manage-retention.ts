import type { Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import {
  type CommandOutput,
  type ManageCommands,
  readCommandArguments,
  requireProject,
} from './manage-command.ts';
import { changeProject } from './projects.ts';
import { NO_RETENTION, type RetentionDays, readRetentionDays } from './retention-days.ts';

/** Stands for no limit. */
const FOREVER = 'forever';

/** The commands about the retention of a project's data. */
export const RETENTION_COMMANDS: ManageCommands = {
  'retention show': { usage: 'ACCOUNT PROJECT', run: retentionShow },
  'retention set': { usage: 'ACCOUNT PROJECT (DAYS | forever | KIND=DAYS...)', run: retentionSet },
};

async function retentionShow(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  const [account, reference] = readCommandArguments(args, RETENTION_COMMANDS, 'retention show', 2);
  const { retention } = await requireProject(sql, account, reference);
  return describe(retention);
}

async function retentionSet(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  const [account = '', reference = '', ...settings] = args;
  if (settings.length === 0) readCommandArguments(args.slice(0, 2), RETENTION_COMMANDS, 'retention set', 3);
  const project = await requireProject(sql, account, reference);
  const retention = settings.reduce(readSetting, project.retention);
  await changeProject(sql, project, { retention });
  return describe(retention);
}

function readSetting(before: RetentionDays, setting: string): RetentionDays {
  const [kind = '', days] = setting.includes('=') ? setting.split('=', 2) : ['', setting];
  if (kind !== '' && !Object.hasOwn(NO_RETENTION, kind))
    throw new AccountError(
      'invalid',
      `There is no retention of "${kind}"; there are ${Object.keys(NO_RETENTION).join(', ')}.`,
    );
  const value = days === FOREVER ? null : Number(days);
  try {
    return kind === '' ? readRetentionDays(value ?? {}) : readRetentionDays({ ...before, [kind]: value });
  } catch {
    throw new AccountError(
      'invalid',
      `"${setting}" must be a whole number of days from 1 to 36500, or ${FOREVER}.`,
    );
  }
}

function describe(retention: RetentionDays): CommandOutput {
  const lines = Object.entries(retention).map(([kind, days]) =>
    days === null ? `${kind}: kept indefinitely` : `${kind}: removed ${days} days after their end`,
  );
  return { lines, json: { retention_days: retention } };
}
