import {
  type Account,
  addAccount,
  addConnector,
  addProject,
  changeConnector,
  changeProject,
  findAccount,
  findConnectorByName,
  findProject,
  isAccountError,
  type Project,
  renameAccount,
} from '../accounts/index.ts';
import type { Database, Sql } from '../db/index.ts';
import { ConfigError } from './config-error.ts';
import type { AccountEntry, ConnectorEntry, ProjectEntry } from './config-file-schema.ts';

/** A connector that was added, with the token that is only known now. */
export type AddedConnector = {
  readonly account: string;
  readonly project: string;
  readonly connector: string;
  readonly token: string;
  /** Whether the token came from the configuration and need not be shown. */
  readonly isGiven: boolean;
};

/**
 * Brings accounts, projects and connectors up to what a configuration says, by slug and name, all or nothing. Applying it
 * again changes nothing; what it does not name stays as it is.
 *
 * Fails with a `ConfigError` that names the entry.
 */
export async function applyConfig(
  database: Database,
  entries: readonly AccountEntry[],
): Promise<readonly AddedConnector[]> {
  return await database.tx(async (sql) => {
    // Two nodes may start at once with the same file.
    await sql.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
    const added: AddedConnector[] = [];
    for (const [index, entry] of entries.entries())
      added.push(...(await applyAccount(sql, entry, `accounts[${index}]`)));
    return added;
  });
}

async function applyAccount(
  sql: Sql,
  entry: AccountEntry,
  field: string,
): Promise<readonly AddedConnector[]> {
  const account = await named(field, async () => {
    const known = await findAccount(sql, entry.slug);
    if (known === null) return await addAccount(sql, entry);
    if (entry.name !== undefined && entry.name !== known.name) await renameAccount(sql, known.id, entry.name);
    return known;
  });
  const added: AddedConnector[] = [];
  for (const [index, project] of entry.projects.entries()) {
    added.push(...(await applyProject(sql, account, project, `${field}.projects[${index}]`)));
  }
  return added;
}

async function applyProject(
  sql: Sql,
  account: Account,
  entry: ProjectEntry,
  field: string,
): Promise<readonly AddedConnector[]> {
  const contextKeys = new Map(Object.entries(entry.contextKeys));
  const project = await named(field, async () => {
    const known = await findProject(sql, account, entry.slug);
    if (known === null) return await addProject(sql, account, { ...entry, contextKeys });
    await changeProject(sql, known, { name: entry.name, agent: entry.agent, contextKeys });
    return known;
  });
  const added: AddedConnector[] = [];
  for (const [index, connector] of entry.connectors.entries()) {
    const token = await named(`${field}.connectors[${index}]`, () => applyConnector(sql, project, connector));
    if (token === null) continue;
    const isGiven = connector.token !== undefined;
    added.push({ account: account.slug, project: project.slug, connector: connector.name, token, isGiven });
  }
  return added;
}

/** Resolves with the token when the connector was added. */
async function applyConnector(sql: Sql, project: Project, entry: ConnectorEntry): Promise<string | null> {
  const known = await findConnectorByName(sql, project, entry.name);
  if (known === null) return (await addConnector(sql, { ...entry, project })).token;
  await changeConnector(sql, known, entry);
  return null;
}

async function named<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAccountError(error))
      throw new ConfigError('the configuration', [{ field, message: error.message }]);
    throw error;
  }
}
