import { randomBytes, randomUUID } from 'node:crypto';
import { and, eq, sql as fragment, isNotNull, isNull } from 'drizzle-orm';
import { isRegistrableHost, type RegisteredHost } from 'natter/protocol';
import * as v from 'valibot';
import { connectors, isDatabaseError, projects, queryBuilder, type Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import {
  type ConnectorSettings,
  connectorSettingsSchema,
  DEFAULT_CONNECTOR_SETTINGS,
  writeConnectorSettings,
} from './connector-settings.ts';
import { type Project, readVariants, type Variant } from './projects.ts';
import { checkName } from './reference.ts';
import { hashToken, hintOfToken, isSameHash } from './token-hash.ts';

// Recognisable, so that a leaked token can be found by a secret scanner.
const PREFIX = 'nct_';
const RANDOM_BYTES = 32;
// Configured tokens may be guessable; anything shorter is a mistake.
const MIN_GIVEN_LENGTH = 20;
const GIVEN = /^[\x21-\x7e]{20,256}$/;

/** Gives hosts access to a project, with settings for its conversations. */
export type Connector = {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly hosts: readonly RegisteredHost[];
  readonly settings: ConnectorSettings;
  /** Name of the agent configuration: the connector's, or else the project's. */
  readonly agent: string | null;
  /** The project's variants. */
  readonly variants: readonly Variant[];
  /** Name of the handoff provider: the connector's, or else the project's; null: none. */
  readonly handoff: string | null;
  /** Whether the project has signing secrets of verified context. */
  readonly hasContextKeys: boolean;
  /** For example `live` or `sandbox`; stored with conversations. */
  readonly environment: string;
  /** Last four characters of the token. */
  readonly tokenHint: string;
  readonly createdAtMs: number;
  /** Null while the connector is valid. */
  readonly revokedAtMs: number | null;
  /** Last use of its token, to the minute, written up to a minute late. Null: not used since uses are recorded. */
  readonly lastUsedAtMs: number | null;
};

/** Fields of a new connector. */
export type NewConnector = {
  readonly project: Project;
  /** Unique among the project's connectors that are not revoked. */
  readonly name: string;
  readonly hosts: readonly RegisteredHost[];
  readonly settings?: Partial<ConnectorSettings> | undefined;
  readonly environment?: string | undefined;
  /** A token to use instead of a new random one; for tests and migrations. */
  readonly token?: string | undefined;
};

/** Selects connectors with their project's inherited settings. */
const select = (sql: Sql) =>
  queryBuilder(sql)
    .select({
      row: connectors,
      projectAgent: projects.agent,
      projectHandoff: fragment<string | null>`${projects.settings}->>'handoff'`,
      variants: fragment<readonly Variant[] | null>`${projects.settings}->'variants'`,
      hasContextKeys: fragment<boolean>`coalesce(${projects.settings}->'context_keys', '{}') <> '{}'`,
    })
    .from(connectors)
    .innerJoin(projects, eq(projects.id, connectors.projectId));

type ConnectorRow = Awaited<ReturnType<typeof select>>[number];

/**
 * Adds a connector and returns its token, which is not shown again, because the database only stores its hash.
 *
 * Fails with an `AccountError` for a host that could never match (HOST-10), or for a name or token already in use.
 */
export async function addConnector(
  sql: Sql,
  connector: NewConnector,
  nowMs: number = Date.now(),
): Promise<{ readonly connector: Connector; readonly token: string }> {
  const { project } = connector;
  const name = checkName(connector.name);
  const hosts = checkHosts(connector.hosts);
  const token = connector.token === undefined ? newConnectorToken() : checkConnectorToken(connector.token);
  const settings = { ...DEFAULT_CONNECTOR_SETTINGS, ...connector.settings };
  const id = randomUUID();
  try {
    await queryBuilder(sql)
      .insert(connectors)
      .values({
        id,
        projectId: project.id,
        name,
        tokenHash: hashToken(token),
        tokenHint: hintOfToken(token),
        hosts,
        settings: writeConnectorSettings(settings),
        environment: connector.environment ?? 'live',
        createdAt: nowMs,
      });
  } catch (error) {
    throw explain(error, project, name);
  }
  const added = await findConnectorById(sql, id);
  if (added === null)
    throw new AccountError('not_found', `The connector "${name}" was removed in the meantime.`);
  return { connector: added, token };
}

/** Finds the connectors with these tokens, in order; null for unknown and revoked ones. */
export async function findConnectorsByToken(
  sql: Sql,
  tokens: readonly string[],
): Promise<readonly (Connector | null)[]> {
  // Looked up by hash, because index lookup times then reveal nothing about a token. The comparison afterwards rules
  // out a laxer match by the database's collation.
  const hashes = tokens.map(hashToken);
  const isOne = fragment`${connectors.tokenHash} = ANY(${fragment.param([...new Set(hashes)])}::text[])`;
  const rows = await select(sql)
    .where(and(isOne, isNull(connectors.revokedAt)))
    .prepare('connectors_by_token')
    .execute();
  return hashes.map((hash) => {
    const row = rows.find(({ row: { tokenHash } }) => isSameHash(tokenHash, hash));
    return row === undefined ? null : readRow(row);
  });
}

/** Finds the connector with this token; null if it is unknown or revoked. */
export async function findConnectorByToken(sql: Sql, token: string): Promise<Connector | null> {
  const [connector = null] = await findConnectorsByToken(sql, [token]);
  return connector;
}

/** Finds a connector by id, revoked or not; null if there is none. */
export async function findConnectorById(sql: Sql, id: string): Promise<Connector | null> {
  const [row] = await select(sql).where(eq(connectors.id, id));
  return row === undefined ? null : readRow(row);
}

/** Finds the connectors with these ids, in order, revoked or not; null for missing ones. */
export async function findConnectorsById(
  sql: Sql,
  ids: readonly string[],
): Promise<readonly (Connector | null)[]> {
  const rows = await select(sql)
    .where(fragment`${connectors.id} = ANY(${fragment.param([...new Set(ids)])}::uuid[])`)
    .prepare('connectors_by_id')
    .execute();
  const found = new Map(rows.map(({ row, ...rest }) => [row.id, readRow({ row, ...rest })]));
  return ids.map((id) => found.get(id) ?? null);
}

/** Finds the project's unrevoked connector with a name; null if there is none. */
export async function findConnectorByName(
  sql: Sql,
  project: Project,
  name: string,
): Promise<Connector | null> {
  const [row] = await select(sql).where(
    and(eq(connectors.projectId, project.id), eq(connectors.name, name), isNull(connectors.revokedAt)),
  );
  return row === undefined ? null : readRow(row);
}

/** Whether the project had a connector with this name and token that has been revoked. */
export async function wasConnectorRevoked(
  sql: Sql,
  project: Project,
  name: string,
  token: string,
): Promise<boolean> {
  const rows = await select(sql).where(
    and(
      eq(connectors.projectId, project.id),
      eq(connectors.name, name),
      eq(connectors.tokenHash, hashToken(token)),
      isNotNull(connectors.revokedAt),
    ),
  );
  return rows.length > 0;
}

/** Connectors of a project, or all, the revoked ones last. */
export async function listConnectors(sql: Sql, project?: Project): Promise<readonly Connector[]> {
  const isRevoked = fragment`${connectors.revokedAt} IS NOT NULL`;
  const rows = await select(sql)
    .where(project && eq(connectors.projectId, project.id))
    .orderBy(isRevoked, connectors.projectId, connectors.name, connectors.createdAt);
  return rows.map(readRow);
}

/** Changes hosts, settings or environment of a connector; omitted fields and the token stay unchanged. */
export async function changeConnector(
  sql: Sql,
  connector: Connector,
  fields: {
    readonly hosts?: readonly RegisteredHost[] | undefined;
    readonly settings?: Partial<ConnectorSettings> | undefined;
    readonly environment?: string | undefined;
    readonly token?: string | undefined;
  },
): Promise<void> {
  const { token } = fields;
  const hosts = fields.hosts === undefined ? connector.hosts : checkHosts(fields.hosts);
  try {
    await queryBuilder(sql)
      .update(connectors)
      .set({
        hosts,
        settings: writeConnectorSettings({ ...connector.settings, ...fields.settings }),
        environment: fields.environment ?? connector.environment,
        ...(token !== undefined && {
          tokenHash: hashToken(checkConnectorToken(token)),
          tokenHint: hintOfToken(token),
        }),
      })
      .where(eq(connectors.id, connector.id));
  } catch (error) {
    throw explain(error, null, connector.name);
  }
}

/**
 * Revokes a connector: its token and the access tokens minted with it become invalid, and every node closes its sockets
 * within two seconds (TOK-6). Returns whether it was valid before.
 */
export async function revokeConnector(sql: Sql, id: string, nowMs: number = Date.now()): Promise<boolean> {
  const rows = await queryBuilder(sql)
    .update(connectors)
    .set({ revokedAt: nowMs })
    .where(and(eq(connectors.id, id), isNull(connectors.revokedAt)))
    .returning({ id: connectors.id });
  return rows.length > 0;
}

function checkHosts(hosts: readonly RegisteredHost[]): readonly RegisteredHost[] {
  const refused = hosts.find((host) => !isRegistrableHost(host));
  if (refused === undefined) return hosts.map(({ kind, value }) => ({ kind, value: value.trim() }));
  throw new AccountError(
    'invalid',
    refused.kind === 'domain'
      ? `The host "${refused.value}" could never match. Write a domain such as example.com or https://example.com:8443, or localhost; no wildcards, because subdomains match automatically.`
      : `The app "${refused.value}" could never match. Write its namespace, such as com.example.app, without spaces.`,
  );
}

function explain(error: unknown, project: Project | null, name: string): unknown {
  if (!isDatabaseError(error) || error.sqlState !== '23505') return error;
  return error.constraint === 'connectors_token_hash_key'
    ? new AccountError('exists', `The token for the connector "${name}" belongs to another connector.`)
    : new AccountError('exists', `The project "${project?.slug ?? ''}" has a connector "${name}" already.`);
}

function readRow({ row, projectAgent, projectHandoff, variants, hasContextKeys }: ConnectorRow): Connector {
  const { tokenHash: _, settings: stored, createdAt, revokedAt, lastUsedAt, ...connector } = row;
  const settings = v.parse(connectorSettingsSchema, stored);
  return {
    ...connector,
    settings,
    agent: settings.agent ?? projectAgent,
    variants: readVariants(variants),
    handoff: settings.handoff ?? projectHandoff,
    hasContextKeys,
    createdAtMs: createdAt,
    revokedAtMs: revokedAt,
    lastUsedAtMs: lastUsedAt,
  };
}

/** Makes a connector token of 256 random bits. */
function newConnectorToken(): string {
  return `${PREFIX}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Rejects a given token that is too short or invalid in a header. */
function checkConnectorToken(token: string): string {
  if (GIVEN.test(token)) return token;
  throw new AccountError(
    'invalid',
    `A connector token must have ${MIN_GIVEN_LENGTH} to 256 printable characters without spaces.`,
  );
}
