import type { Database, Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import { type Account, findAccount } from './accounts.ts';
import { findProject, type Project } from './projects.ts';

/** Options of a management command. */
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
  /** Role of a person or queue of the desk. */
  readonly role?: string | undefined;
  readonly queues?: readonly string[] | undefined;
  readonly skills?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly capacity?: string | undefined;
  readonly hours?: string | undefined;
  readonly timezone?: string | undefined;
  readonly closedText?: string | undefined;
  /** Confirms an irreversible action. */
  readonly isConfirmed?: boolean | undefined;
  /** How long the old key keeps working, such as `24h`. */
  readonly overlap?: string | undefined;
  /** File with the address of a database. */
  readonly urlFile?: string | undefined;
  /** Receives slow steps and warnings. */
  readonly onProgress?: ((line: string) => void) | undefined;
  /** Names of the configured agents; left out, agent names are not checked. */
  readonly agents?: readonly string[] | undefined;
};

/** Output of a command. */
export type CommandOutput = {
  /** For people. */
  readonly lines: readonly string[];
  /** For programs, printed with `--json`: names in snake case, times as ISO texts, `null` for a missing value. */
  readonly json: unknown;
};

/** A command for the operator, such as `connector add kittiwake web shop`. */
export type ManageCommand = (
  sql: Database,
  args: readonly string[],
  options: ManageOptions,
) => Promise<CommandOutput>;

/** Commands by noun and verb, with their arguments. */
export type ManageCommands = Readonly<
  Record<
    string,
    {
      readonly usage: string;
      readonly run: ManageCommand;
      /** Whether its arguments are file paths. */
      readonly hasPath?: boolean;
      /** Whether no platform may be using the embedded database meanwhile. */
      readonly isOffline?: boolean;
      /** Whether it requests reports from the nodes of a running platform. */
      readonly asksNodes?: boolean;
      /** Whether it migrates tables of an earlier release. */
      readonly mayMigrate?: boolean;
    }
  >
>;

/** Finds an account by slug or id. Fails with an `AccountError`. */
export async function requireAccount(sql: Sql, reference: string): Promise<Account> {
  const account = await findAccount(sql, reference);
  if (account !== null) return account;
  throw new AccountError(
    'not_found',
    `There is no account "${reference}". See: natter-platform account list`,
  );
}

/** Finds a project of an account by slug or id. Fails with an `AccountError`. */
export async function requireProject(sql: Sql, account: string, reference: string): Promise<Project> {
  const project = await findProject(sql, await requireAccount(sql, account), reference);
  if (project !== null) return project;
  throw new AccountError(
    'not_found',
    `The account "${account}" has no project "${reference}". See: natter-platform project list ${account}`,
  );
}

type CommandArguments<Count extends number> = Count extends 0
  ? readonly []
  : Count extends 1
    ? readonly [string]
    : Count extends 2
      ? readonly [string, string]
      : readonly [string, string, string];

/** Returns the arguments of a command if their number is right. Fails with an `AccountError` that shows the usage. */
export function readCommandArguments<Count extends 0 | 1 | 2 | 3>(
  args: readonly string[],
  commands: ManageCommands,
  command: string,
  count: Count,
): CommandArguments<Count> {
  if (args.length === count) return args as unknown as CommandArguments<Count>;
  const usage = commands[command]?.usage ?? '';
  throw new AccountError('invalid', `Usage: natter-platform ${command} ${usage}`.trim());
}

/** Output format of a list. */
export type ListFormat<Item> = {
  /** Printed when the list is empty. */
  readonly empty: string;
  /** Cells of an item's row, in the output for people. */
  readonly toCells: (item: Item) => readonly string[];
  /** The item in the output for programs, see `CommandOutput`. */
  readonly toJson: (item: Item) => Readonly<Record<string, unknown>>;
};

/** Formats a list as aligned rows for people, and as an array for programs, even an empty one. */
export function writeList<Item>(
  items: readonly Item[],
  { empty, toCells, toJson }: ListFormat<Item>,
): CommandOutput {
  return { lines: items.length === 0 ? [empty] : table(items.map(toCells)), json: items.map(toJson) };
}

/** Formats a time for JSON output. */
export function writeTime(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

/** Formats the last use of a key or token for people. */
export function writeLastUse(atMs: number | null): string {
  return atMs === null ? 'never used' : `used ${new Date(atMs).toISOString().slice(0, 16)}Z`;
}

/** Formats aligned columns. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Whether a text is the id of a connector or key. */
export function isUuid(word: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word);
}
