import type { Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import { addAccount, listAccounts } from './accounts.ts';
import {
  addConnector,
  findConnectorById,
  findConnectorByName,
  listConnectors,
  revokeConnector,
} from './connectors.ts';
import {
  isUuid,
  type ManageCommands,
  type ManageOptions,
  needAccount,
  needProject,
  table,
  takeWords,
} from './manage-command.ts';
import { KEY_COMMANDS } from './manage-keys.ts';
import { addProject, listProjects } from './projects.ts';

/** The management commands by noun and verb, with their words. */
export const MANAGE_COMMANDS: ManageCommands = {
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
  ...KEY_COMMANDS,
};

async function accountAdd(
  sql: Sql,
  words: readonly string[],
  { name }: ManageOptions,
): Promise<readonly string[]> {
  const [slug] = takeWords(words, MANAGE_COMMANDS, 'account add', 1);
  const account = await addAccount(sql, { slug, name });
  return [`Added account ${account.slug} (${account.id}).`];
}

async function accountList(sql: Sql, words: readonly string[]): Promise<readonly string[]> {
  takeWords(words, MANAGE_COMMANDS, 'account list', 0);
  const accounts = await listAccounts(sql);
  if (accounts.length === 0) return ['There is no account yet. Add one: natter-platform account add SLUG'];
  return table(accounts.map(({ slug, id, name }) => [slug, id, name]));
}

async function projectAdd(
  sql: Sql,
  words: readonly string[],
  { name, agent }: ManageOptions,
): Promise<readonly string[]> {
  const [reference, slug] = takeWords(words, MANAGE_COMMANDS, 'project add', 2);
  const account = await needAccount(sql, reference);
  const project = await addProject(sql, account, { slug, name, agent });
  return [`Added project ${account.slug}/${project.slug} (${project.id}).`];
}

async function projectList(sql: Sql, words: readonly string[]): Promise<readonly string[]> {
  const [reference] = words.length === 0 ? [] : takeWords(words, MANAGE_COMMANDS, 'project list', 1);
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
  const [accountReference, projectReference, name] = takeWords(words, MANAGE_COMMANDS, 'connector add', 3);
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
  const [account, project] = words.length === 0 ? [] : takeWords(words, MANAGE_COMMANDS, 'connector list', 2);
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
  const [account, project, name] = takeWords(words, MANAGE_COMMANDS, 'connector revoke', 3);
  return await findConnectorByName(sql, await needProject(sql, account, project), name);
}

async function byId(sql: Sql, words: readonly string[]): ReturnType<typeof findConnectorById> {
  const [id] = takeWords(words, MANAGE_COMMANDS, 'connector revoke', 1);
  return isUuid(id) ? await findConnectorById(sql, id) : null;
}
