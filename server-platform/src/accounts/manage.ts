import type { Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import { addAccount, listAccounts } from './accounts.ts';
import {
  type CommandOutput,
  type ManageCommands,
  type ManageOptions,
  readCommandArguments,
  requireAccount,
  writeList,
  writeTime,
} from './manage-command.ts';
import { CONNECTOR_COMMANDS } from './manage-connectors.ts';
import { KEY_COMMANDS } from './manage-keys.ts';
import { RETENTION_COMMANDS } from './manage-retention.ts';
import { addProject, listProjects } from './projects.ts';
import { readScopeNames } from './scope-names.ts';

/** The management commands by noun and verb, with their arguments. */
export const MANAGE_COMMANDS: ManageCommands = {
  'account add': { usage: 'SLUG [--name NAME]', run: accountAdd },
  'account list': { usage: '', run: accountList },
  'project add': { usage: 'ACCOUNT SLUG [--name NAME] [--agent AGENT]', run: projectAdd },
  'project list': { usage: '[ACCOUNT]', run: projectList },
  ...CONNECTOR_COMMANDS,
  ...KEY_COMMANDS,
  ...RETENTION_COMMANDS,
};

async function accountAdd(
  sql: Sql,
  args: readonly string[],
  { name }: ManageOptions,
): Promise<CommandOutput> {
  const [slug] = readCommandArguments(args, MANAGE_COMMANDS, 'account add', 1);
  const account = await addAccount(sql, { slug, name });
  return {
    lines: [`Added account ${account.slug} (${account.id}).`],
    json: { id: account.id, slug: account.slug, name: account.name },
  };
}

async function accountList(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  readCommandArguments(args, MANAGE_COMMANDS, 'account list', 0);
  return writeList(await listAccounts(sql), {
    empty: 'There is no account yet. Add one: natter-platform account add SLUG',
    toCells: ({ slug, id, name }) => [slug, id, name],
    toJson: ({ slug, id, name, createdAtMs }) => ({ id, slug, name, created_at: writeTime(createdAtMs) }),
  });
}

async function projectAdd(
  sql: Sql,
  args: readonly string[],
  { name, agent, agents }: ManageOptions,
): Promise<CommandOutput> {
  const [reference, slug] = readCommandArguments(args, MANAGE_COMMANDS, 'project add', 2);
  if (agent !== undefined) checkAgent(agent, agents);
  const account = await requireAccount(sql, reference);
  const project = await addProject(sql, account, { slug, name, agent });
  return {
    lines: [`Added project ${account.slug}/${project.slug} (${project.id}).`],
    json: {
      id: project.id,
      account: account.slug,
      slug: project.slug,
      name: project.name,
      agent: project.agent,
    },
  };
}

function checkAgent(agent: string, agents: readonly string[] | undefined): void {
  if (agents === undefined || agents.includes(agent)) return;
  const known = agents.map((name) => `"${name}"`).join(', ');
  throw new AccountError(
    'invalid',
    `There is no agent "${agent}"; there are ${known}. Agents are listed under "agents" in the configuration file: name it with --config or NATTER_CONFIG.`,
  );
}

async function projectList(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  const [reference] = args.length === 0 ? [] : readCommandArguments(args, MANAGE_COMMANDS, 'project list', 1);
  const account = reference === undefined ? undefined : await requireAccount(sql, reference);
  const names = await readScopeNames(sql);
  return writeList(await listProjects(sql, account), {
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
