import type { Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import { type Account, findAccount } from './accounts.ts';
import { findProject, type Project } from './projects.ts';

/** What a management command was given besides its words. */
export type ManageOptions = {
  readonly name?: string | undefined;
  readonly agent?: string | undefined;
  readonly domains: readonly string[];
  readonly apps: readonly string[];
  readonly environment?: string | undefined;
  readonly project?: string | undefined;
  readonly permissions: readonly string[];
  readonly isLegacy: boolean;
  readonly region?: string | undefined;
  /** A day such as `2027-01-31`. */
  readonly expires?: string | undefined;
};

/** A command of the operator: `connector add kittiwake web shop`. Resolves with the lines to print. */
export type ManageCommand = (
  sql: Sql,
  words: readonly string[],
  options: ManageOptions,
) => Promise<readonly string[]>;

/** Commands by noun and verb, with their words. */
export type ManageCommands = Readonly<
  Record<string, { readonly usage: string; readonly run: ManageCommand }>
>;

/** The account that a slug or id names. Fails with an `AccountError`. */
export async function needAccount(sql: Sql, reference: string): Promise<Account> {
  const account = await findAccount(sql, reference);
  if (account !== null) return account;
  throw new AccountError(
    'not_found',
    `There is no account "${reference}". See: natter-platform account list`,
  );
}

/** The project of an account that a slug or id names. Fails with an `AccountError`. */
export async function needProject(sql: Sql, account: string, reference: string): Promise<Project> {
  const project = await findProject(sql, await needAccount(sql, account), reference);
  if (project !== null) return project;
  throw new AccountError(
    'not_found',
    `The account "${account}" has no project "${reference}". See: natter-platform project list ${account}`,
  );
}

type Words<Count extends number> = Count extends 0
  ? readonly []
  : Count extends 1
    ? readonly [string]
    : Count extends 2
      ? readonly [string, string]
      : readonly [string, string, string];

/** The words of a command when there are as many as it takes. Fails with an `AccountError` that shows the usage. */
export function takeWords<Count extends 0 | 1 | 2 | 3>(
  words: readonly string[],
  commands: ManageCommands,
  command: string,
  count: Count,
): Words<Count> {
  if (words.length === count) return words as unknown as Words<Count>;
  const usage = commands[command]?.usage ?? '';
  throw new AccountError('invalid', `Usage: natter-platform ${command} ${usage}`.trim());
}

/** Rows in columns. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Whether a word is the id of a connector or key. */
export function isUuid(word: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word);
}
