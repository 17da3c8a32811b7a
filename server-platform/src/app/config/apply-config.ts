import {
  type Account,
  addAccount,
  addApiKey,
  addConnector,
  addProject,
  changeApiKey,
  changeConnector,
  changeProject,
  findAccount,
  findApiKeyByName,
  findConnectorByName,
  findFormerApiKey,
  findProject,
  isAccountError,
  type Project,
  renameAccount,
  wasConnectorRevoked,
} from '../../accounts/index.ts';
import { setNumberPool } from '../../api/numbers/index.ts';
import type { Database, Sql } from '../../db/index.ts';
import { setUpDesk } from '../../desk/index.ts';
import type { AccountEntry, ConnectorEntry, KeyEntry, ProjectEntry } from './account-entry.ts';
import { ConfigError } from './config-error.ts';

/** A connector that was added, with its token, which is not shown again. */
export type AddedConnector = {
  readonly account: string;
  readonly project: string;
  readonly connector: string;
  readonly token: string;
  /** Whether the token came from the configuration and need not be shown. */
  readonly isGiven: boolean;
};

/** An API key that was added, with its text, which is not shown again. */
export type AddedKey = {
  readonly account: string;
  /** Null: all projects of the account. */
  readonly project: string | null;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly key: string;
  /** Whether the text came from the configuration and need not be shown. */
  readonly isGiven: boolean;
};

/** Connectors and keys that were added. */
export type Added = {
  readonly connectors: readonly AddedConnector[];
  readonly keys: readonly AddedKey[];
  /** Settings left unchanged although the configuration differs, with the reasons. */
  readonly notes: readonly string[];
};

type Adding = {
  readonly connectors: AddedConnector[];
  readonly keys: AddedKey[];
  readonly notes: string[];
};

/**
 * Updates accounts, projects, connectors and keys to match a configuration, by slug and name, all or nothing. Applying
 * it again changes nothing. Items that it does not name stay unchanged. So do keys and tokens that were rotated or
 * revoked since they were written there: a stale file neither restores them nor blocks startup.
 *
 * Fails with a `ConfigError` that names the entry.
 */
export async function applyConfig(database: Database, entries: readonly AccountEntry[]): Promise<Added> {
  return await database.tx(async (sql) => {
    // Two nodes may start at the same time with the same file.
    await sql.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
    const added: Adding = { connectors: [], keys: [], notes: [] };
    for (const [index, entry] of entries.entries())
      await applyAccount(sql, entry, `accounts[${index}]`, added);
    return added;
  });
}

async function applyAccount(sql: Sql, entry: AccountEntry, field: string, added: Adding): Promise<void> {
  const account = await named(field, async () => {
    const known = await findAccount(sql, entry.slug);
    if (known === null) return await addAccount(sql, entry);
    if (entry.name !== undefined && entry.name !== known.name) await renameAccount(sql, known.id, entry.name);
    return known;
  });
  for (const [index, project] of entry.projects.entries())
    await applyProject(sql, account, project, `${field}.projects[${index}]`, added);
  await applyKeys(sql, { account, project: undefined }, entry.keys ?? [], field, added);
  if (entry.desk !== undefined) await setUpDesk(sql, account.id, entry.desk);
}

async function applyProject(
  sql: Sql,
  account: Account,
  entry: ProjectEntry,
  field: string,
  added: Adding,
): Promise<void> {
  const contextKeys = new Map(Object.entries(entry.contextKeys));
  const project = await named(field, async () => {
    const known = await findProject(sql, account, entry.slug);
    const isTranslated = (entry.translation ?? null) !== null;
    const { retention_days: retention } = entry;
    if (known === null)
      return await addProject(sql, account, { ...entry, contextKeys, isTranslated, retention });
    const { name, agent, variants, conversations, handoff } = entry;
    const fields = { name, agent, contextKeys, variants, conversations, handoff, isTranslated, retention };
    await changeProject(sql, known, fields);
    return known;
  });
  for (const [index, connector] of entry.connectors.entries()) {
    const at = `${field}.connectors[${index}]`;
    const token = await named(at, () => applyConnector(sql, project, connector, at, added));
    if (token === null) continue;
    const isGiven = connector.token !== undefined;
    added.connectors.push({
      account: account.slug,
      project: project.slug,
      connector: connector.name,
      token,
      isGiven,
    });
  }
  const { numbers } = entry;
  if (numbers !== undefined) await named(`${field}.numbers`, () => setNumberPool(sql, project.id, numbers));
  await applyKeys(sql, { account, project }, entry.keys ?? [], field, added);
}

async function applyKeys(
  sql: Sql,
  scope: { readonly account: Account; readonly project: Project | undefined },
  entries: readonly KeyEntry[],
  field: string,
  added: Adding,
): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    const { legacy, expires, ...rest } = entry;
    const wanted = { ...rest, ...scope, isLegacy: legacy, expiresAtMs: expires };
    const at = `${field}.keys[${index}]`;
    await named(at, async () => {
      const known = await findApiKeyByName(sql, scope.account, entry.name);
      const { name, key: text } = entry;
      const former = text === undefined ? null : await findFormerApiKey(sql, scope.account, name, text);
      if (former !== null) {
        added.notes.push(describeFormer(at, `key "${name}"`, known !== null));
        if (known !== null) await changeApiKey(sql, known, { ...wanted, key: undefined });
        return;
      }
      if (known !== null) return await changeApiKey(sql, known, wanted);
      const { key } = await addApiKey(sql, wanted);
      added.keys.push({
        account: scope.account.slug,
        project: scope.project?.slug ?? null,
        name: entry.name,
        permissions: entry.permissions,
        key,
        isGiven: entry.key !== undefined,
      });
    });
  }
}

/** Why a text of the configuration is not used. */
function describeFormer(field: string, what: string, hasSuccessor: boolean): string {
  return hasSuccessor
    ? `${field}: the ${what} has a successor, and the text in the configuration is the one before. The successor stays: write its text there, or none.`
    : `${field}: the ${what} with the text in the configuration is revoked, and stays so. Take the entry out, or give it another text.`;
}

/** Resolves with the token when the connector was added. */
async function applyConnector(
  sql: Sql,
  project: Project,
  entry: ConnectorEntry,
  field: string,
  { notes }: Adding,
): Promise<string | null> {
  const known = await findConnectorByName(sql, project, entry.name);
  const { name, token } = entry;
  if (token !== undefined && (await wasConnectorRevoked(sql, project, name, token))) {
    notes.push(describeFormer(field, `connector "${name}"`, known !== null));
    if (known !== null) await changeConnector(sql, known, { ...entry, token: undefined });
    return null;
  }
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
