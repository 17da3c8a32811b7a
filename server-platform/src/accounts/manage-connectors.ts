import { readDatabaseTime, type Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import {
  addConnector,
  type Connector,
  findConnectorById,
  findConnectorByName,
  listConnectors,
  revokeConnector,
} from './connectors.ts';
import {
  type CommandOutput,
  isUuid,
  type ManageCommands,
  type ManageOptions,
  readCommandArguments,
  requireProject,
  writeLastUse,
  writeList,
  writeTime,
} from './manage-command.ts';
import { readScopeNames } from './scope-names.ts';

/** The commands about connectors. */
export const CONNECTOR_COMMANDS: ManageCommands = {
  'connector add': {
    usage: 'ACCOUNT PROJECT NAME (--domain DOMAIN | --app NAMESPACE)... [--environment live]',
    run: connectorAdd,
  },
  'connector list': { usage: '[ACCOUNT PROJECT]', run: connectorList },
  'connector revoke': { usage: 'ID | ACCOUNT PROJECT NAME', run: connectorRevoke },
};

async function connectorAdd(
  sql: Sql,
  args: readonly string[],
  options: ManageOptions,
): Promise<CommandOutput> {
  const command = 'connector add';
  const [accountReference, projectReference, name] = readCommandArguments(
    args,
    CONNECTOR_COMMANDS,
    command,
    3,
  );
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
  const project = await requireProject(sql, accountReference, projectReference);
  const { environment } = options;
  const { connector, token } = await addConnector(sql, { project, name, hosts, environment });
  return {
    lines: [
      `Added connector ${connector.name} (${connector.id}).`,
      `Token: ${token}`,
      'This is the only time the token is shown. Keep it on your server, in the configuration of the token proxy.',
    ],
    json: { id: connector.id, name: connector.name, hosts, environment: connector.environment, token },
  };
}

async function connectorList(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  const [account, project] =
    args.length === 0 ? [] : readCommandArguments(args, CONNECTOR_COMMANDS, 'connector list', 2);
  const scope =
    account === undefined || project === undefined ? undefined : await requireProject(sql, account, project);
  const names = await readScopeNames(sql);
  return writeList(await listConnectors(sql, scope), {
    empty:
      'There is no connector yet. Add one: natter-platform connector add ACCOUNT PROJECT NAME --domain DOMAIN',
    toCells: ({ id, projectId, name, hosts, environment, tokenHint, ...times }) => {
      const { account, project } = names.projectOf(projectId) ?? { account: '', project: projectId };
      return [
        name,
        id,
        `${account}/${project}`,
        hosts.map(({ value }) => value).join(', '),
        environment,
        `…${tokenHint}`,
        writeLastUse(times.lastUsedAtMs),
        times.revokedAtMs === null ? '' : `revoked ${writeTime(times.revokedAtMs)}`,
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
      last_used_at: writeTime(times.lastUsedAtMs),
      revoked_at: writeTime(times.revokedAtMs),
    }),
  });
}

async function connectorRevoke(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  const { id, name } = await requireConnector(sql, args, CONNECTOR_COMMANDS, 'connector revoke');
  const wasInUse = await revokeConnector(sql, id, await readDatabaseTime(sql));
  return {
    lines: [
      wasInUse
        ? `Revoked connector ${name} (${id}). Its token no longer works; its open sockets are closed within two seconds.`
        : `The connector ${name} was revoked already.`,
    ],
    json: { id, name, revoked: wasInUse },
  };
}

/** Finds a connector by id, or by account, project and name. Fails with an `AccountError`. */
export async function requireConnector(
  sql: Sql,
  args: readonly string[],
  commands: ManageCommands,
  command: string,
): Promise<Connector> {
  const connector = await findConnector(sql, args, commands, command);
  if (connector !== null) return connector;
  throw new AccountError(
    'not_found',
    'There is no such connector. See: natter-platform connector list. A revoked one is named by its id.',
  );
}

async function findConnector(
  sql: Sql,
  args: readonly string[],
  commands: ManageCommands,
  command: string,
): Promise<Connector | null> {
  if (args.length === 3) {
    const [account, project, name] = readCommandArguments(args, commands, command, 3);
    return await findConnectorByName(sql, await requireProject(sql, account, project), name);
  }
  const [id] = readCommandArguments(args, commands, command, 1);
  return isUuid(id) ? await findConnectorById(sql, id) : null;
}
