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
  takeWords,
  writeList,
  writeTime,
} from './manage-command.ts';
import { KEY_COMMANDS } from './manage-keys.ts';
import { RETENTION_COMMANDS } from './manage-retention.ts';
import { addProject, listProjects } from './projects.ts';
import { readScopeNames } from './scope-names.ts';

/** The management commands by noun and verb, with their words. */
export const MANAGE_COMMANDS: ManageCommands = {
  'account add': { usage: 'SLUG [--name NAME]', run: accountAdd },
  'account list': { usage: '[--json]', run: accountList },
  'project add': { usage: 'ACCOUNT SLUG [--name NAME] [--agent AGENT]', run: projectAdd },
  'project list': { usage: '[ACCOUNT] [--json]', run: projectList },
  'connector add': {
    usage: 'ACCOUNT PROJECT NAME (--domain DOMAIN | --app NAMESPACE)... [--environment live]',
    run: connectorAdd,
  },
  'connector list': { usage: '[ACCOUNT PROJECT] [--json]', run: connectorList },
  'connector revoke': { usage: 'ID | ACCOUNT PROJECT NAME', run: connectorRevoke },
  ...KEY_COMMANDS,
  ...RETENTION_COMMANDS,
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

async function accountList(
  sql: Sql,
  words: readonly string[],
  options: ManageOptions,
): Promise<readonly string[]> {
  takeWords(words, MANAGE_COMMANDS, 'account list', 0);
  return writeList(await listAccounts(sql), options, {
    empty: 'There is no account yet. Add one: natter-platform account add SLUG',
    toCells: ({ slug, id, name }) => [slug, id, name],
    toJson: ({ slug, id, name, createdAtMs }) => ({ id, slug, name, created_at: writeTime(createdAtMs) }),
  });
}

async function projectAdd(
  sql: Sql,
  words: readonly string[],
  { name, agent, agents }: ManageOptions,
): Promise<readonly string[]> {
  const [reference, slug] = takeWords(words, MANAGE_COMMANDS, 'project add', 2);
  if (agent !== undefined) checkAgent(agent, agents);
  const account = await needAccount(sql, reference);
  const project = await addProject(sql, account, { slug, name, agent });
  return [`Added project ${account.slug}/${project.slug} (${project.id}).`];
}

function checkAgent(agent: string, agents: readonly string[] | undefined): void {
  if (agents === undefined || agents.includes(agent)) return;
  const known = agents.map((name) => `"${name}"`).join(', ');
  throw new AccountError(
    'invalid',
    `There is no agent "${agent}"; there are ${known}. Agents stand under "agents" in the configuration file: name it with --config or NATTER_CONFIG.`,
  );
}

async function projectList(
  sql: Sql,
  words: readonly string[],
  options: ManageOptions,
): Promise<readonly string[]> {
  const [reference] = words.length === 0 ? [] : takeWords(words, MANAGE_COMMANDS, 'project list', 1);
  const account = reference === undefined ? undefined : await needAccount(sql, reference);
  const names = await readScopeNames(sql);
  return writeList(await listProjects(sql, account), options, {
    empty: 'There is no project yet. Add one: natter-platform project add ACCOUNT SLUG',
    toCells: ({ accountId, slug, id, name, agent }) => [
      `${names.accountOf(accountId) ?? accountId}/${slug}`,
      id,
      name,
      agent === null ? 'no agent' : `agent ${agent}`,
    ],
    toJson: ({ accountId, slug, id, name, agent, handoff, createdAtMs }) => ({
      id,
      account: names.accountOf(accountId),
      slug,
      name,
      agent,
      handoff,
      created_at: writeTime(createdAtMs),
    }),
  });
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

async function connectorList(
  sql: Sql,
  words: readonly string[],
  options: ManageOptions,
): Promise<readonly string[]> {
  const [account, project] = words.length === 0 ? [] : takeWords(words, MANAGE_COMMANDS, 'connector list', 2);
  const scope =
    account === undefined || project === undefined ? undefined : await needProject(sql, account, project);
  const names = await readScopeNames(sql);
  return writeList(await listConnectors(sql, scope), options, {
    empty:
      'There is no connector yet. Add one: natter-platform connector add ACCOUNT PROJECT NAME --domain DOMAIN',
    toCells: ({ id, projectId, name, hosts, environment, tokenHint, revokedAtMs }) => {
      const { account, project } = names.projectOf(projectId) ?? { account: '', project: projectId };
      return [
        name,
        id,
        `${account}/${project}`,
        hosts.map(({ value }) => value).join(', '),
        environment,
        `…${tokenHint}`,
        revokedAtMs === null ? '' : `revoked ${writeTime(revokedAtMs)}`,
      ];
    },
    toJson: ({ id, projectId, name, hosts, environment, agent, handoff, tokenHint, ...times }) => ({
      id,
      name,
      account: names.projectOf(projectId)?.account ?? null,
      project: names.projectOf(projectId)?.project ?? null,
      hosts,
      environment,
      agent,
      handoff,
      token_hint: tokenHint,
      created_at: writeTime(times.createdAtMs),
      revoked_at: writeTime(times.revokedAtMs),
    }),
  });
}

async function connectorRevoke(sql: Sql, words: readonly string[]): Promise<readonly string[]> {
  const connector = words.length === 3 ? await byName(sql, words) : await byId(sql, words);
  if (connector === null)
    throw new AccountError('not_found', 'There is no such connector. See: connector list');
  if (!(await revokeConnector(sql, connector.id)))
    return [`The connector ${connector.name} was revoked already.`];
  return [
    `Revoked connector ${connector.name} (${connector.id}). Its token no longer works; its open sockets are closed within two seconds.`,
  ];
}

async function byName(sql: Sql, words: readonly string[]): ReturnType<typeof findConnectorByName> {
  const [account, project, name] = takeWords(words, MANAGE_COMMANDS, 'connector revoke', 3);
  return await findConnectorByName(sql, await needProject(sql, account, project), name);
}

async function byId(sql: Sql, words: readonly string[]): ReturnType<typeof findConnectorById> {
  const [id] = takeWords(words, MANAGE_COMMANDS, 'connector revoke', 1);
  return isUuid(id) ? await findConnectorById(sql, id) : null;
}
