import type { Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import { type Account, addAccount, findAccount, listAccounts } from './accounts.ts';
import {
  addConnector,
  findConnectorById,
  findConnectorByName,
  listConnectors,
  revokeConnector,
} from './connectors.ts';
import { addProject, findProject, listProjects, type Project } from './projects.ts';

/** What a management command was given besides its words. */
export type ManageOptions = {
  readonly name?: string | undefined;
  readonly agent?: string | undefined;
  readonly domains: readonly string[];
  readonly apps: readonly string[];
  readonly environment?: string | undefined;
};

/** A command of the operator: `connector add kittiwake web shop`. Resolves with the lines to print. */
export type ManageCommand = (
  sql: Sql,
  words: readonly string[],
  options: ManageOptions,
) => Promise<readonly string[]>;

/** The management commands by noun and verb, with their words. */
export const MANAGE_COMMANDS: Readonly<
  Record<string, { readonly usage: string; readonly run: ManageCommand }>
> = {
  'account add': { usage: 'SLUG [--name NAME]', run: accountAdd },
  'account list': { usage: '', run: accountList },
  'project add': { usage: 'ACCOUNT SLUG [--name NAME] [--agent AGENT]', run: projectAdd },
  'project list': { usage: '[ACCOUNT]', run: projectList },
  'connector add': {
    usage: 'ACCOUNT PROJECT NAME (--domain DOMAIN | --app NAMESPACE)... [--environment live]',
    run: connectorAdd,
  },
  'connector list': { usage: '[ACCOUNT PROJECT]', run: connectorList },
  'connector revoke': { usage: 'ID | ACCOUNT PROJECT NAME', run: connectorRevoke },
};

async function accountAdd(
  sql: Sql,
  words: readonly string[],
  { name }: ManageOptions,
): Promise<readonly string[]> {
  const [slug] = take(words, 'account add', 1);
  const account = await addAccount(sql, { slug, name });
  return [`Added account ${account.slug} (${account.id}).`];
}

async function accountList(sql: Sql, words: readonly string[]): Promise<readonly string[]> {
  take(words, 'account list', 0);
  const accounts = await listAccounts(sql);
  if (accounts.length === 0) return ['There is no account yet. Add one: natter-platform account add SLUG'];
  return table(accounts.map(({ slug, id, name }) => [slug, id, name]));
}

async function projectAdd(
  sql: Sql,
  words: readonly string[],
  { name, agent }: ManageOptions,
): Promise<readonly string[]> {
  const [reference, slug] = take(words, 'project add', 2);
  const account = await needAccount(sql, reference);
  const project = await addProject(sql, account, { slug, name, agent });
  return [`Added project ${account.slug}/${project.slug} (${project.id}).`];
}

async function projectList(sql: Sql, words: readonly string[]): Promise<readonly string[]> {
  const [reference] = words.length === 0 ? [] : take(words, 'project list', 1);
  const account = reference === undefined ? undefined : await needAccount(sql, reference);
  const slugs = new Map((await listAccounts(sql)).map(({ id, slug }) => [id, slug]));
  const projects = await listProjects(sql, account);
  if (projects.length === 0)
    return ['There is no project yet. Add one: natter-platform project add ACCOUNT SLUG'];
  return table(
    projects.map(({ accountId, slug, id, name, agent }) => [
      `${slugs.get(accountId) ?? accountId}/${slug}`,
      id,
      name,
      agent === null ? 'no agent' : `agent ${agent}`,
    ]),
  );
}

async function connectorAdd(
  sql: Sql,
  words: readonly string[],
  options: ManageOptions,
): Promise<readonly string[]> {
  const [accountReference, projectReference, name] = take(words, 'connector add', 3);
  const hosts = [
    ...options.domains.map((value) => ({ kind: 'domain' as const, value })),
    ...options.apps.map((value) => ({ kind: 'app' as const, value })),
  ];
  if (hosts.length === 0) {
    throw new AccountError(
      'invalid',
      'A connector needs a host: --domain example.com, or --app com.example.app.',
    );
  }
  const project = await needProject(sql, accountReference, projectReference);
  const { environment } = options;
  const { connector, token } = await addConnector(sql, { project, name, hosts, environment });
  return [
    `Added connector ${connector.name} (${connector.id}).`,
    `Token: ${token}`,
    'This is the only time the token is shown. Keep it on your server, in the configuration of the token proxy.',
  ];
}

async function connectorList(sql: Sql, words: readonly string[]): Promise<readonly string[]> {
  const [account, project] = words.length === 0 ? [] : take(words, 'connector list', 2);
  const scope =
    account === undefined || project === undefined ? undefined : await needProject(sql, account, project);
  const connectors = await listConnectors(sql, scope);
  if (connectors.length === 0) {
    return [
      'There is no connector yet. Add one: natter-platform connector add ACCOUNT PROJECT NAME --domain DOMAIN',
    ];
  }
  return table(
    connectors.map(({ id, name, hosts, environment, tokenHint, revokedAtMs }) => [
      name,
      id,
      hosts.map(({ value }) => value).join(', '),
      environment,
      `…${tokenHint}`,
      revokedAtMs === null ? '' : `revoked ${new Date(revokedAtMs).toISOString()}`,
    ]),
  );
}

async function connectorRevoke(sql: Sql, words: readonly string[]): Promise<readonly string[]> {
  const connector = words.length === 3 ? await byName(sql, words) : await byId(sql, words);
  if (connector === null)
    throw new AccountError('not_found', 'There is no such connector. See: connector list');
  if (!(await revokeConnector(sql, connector.id)))
    return [`The connector ${connector.name} was revoked already.`];
  return [`Revoked connector ${connector.name} (${connector.id}). Its token no longer works.`];
}

async function byName(sql: Sql, words: readonly string[]): ReturnType<typeof findConnectorByName> {
  const [account, project, name] = take(words, 'connector revoke', 3);
  return await findConnectorByName(sql, await needProject(sql, account, project), name);
}

async function byId(sql: Sql, words: readonly string[]): ReturnType<typeof findConnectorById> {
  const [id] = take(words, 'connector revoke', 1);
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? await findConnectorById(sql, id) : null;
}

async function needAccount(sql: Sql, reference: string): Promise<Account> {
  const account = await findAccount(sql, reference);
  if (account !== null) return account;
  throw new AccountError(
    'not_found',
    `There is no account "${reference}". See: natter-platform account list`,
  );
}

async function needProject(sql: Sql, account: string, reference: string): Promise<Project> {
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

function take<Count extends 0 | 1 | 2 | 3>(
  words: readonly string[],
  command: string,
  count: Count,
): Words<Count> {
  if (words.length === count) return words as unknown as Words<Count>;
  const usage = MANAGE_COMMANDS[command]?.usage ?? '';
  throw new AccountError('invalid', `Usage: natter-platform ${command} ${usage}`.trim());
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
