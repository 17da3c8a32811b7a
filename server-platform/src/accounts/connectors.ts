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
// A token given in a file is as guessable as its author made it; anything shorter is a mistake.
const MIN_GIVEN_LENGTH = 20;
const GIVEN = /^[\x21-\x7e]{20,256}$/;

/** A way into a project: the hosts that may use it and how conversations behave. */
export type Connector = {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly hosts: readonly RegisteredHost[];
  readonly settings: ConnectorSettings;
  /** Name of the agent configuration that answers: the connector's, else the project's. */
  readonly agent: string | null;
  /** Of the project. */
  readonly variants: readonly Variant[];
  /** Name of the hand-off provider: the connector's, else the project's; null: none. */
  readonly handoff: string | null;
  /** Such as `live` or `sandbox`; conversations carry it. */
  readonly environment: string;
  /** Last four characters of the token. */
  readonly tokenHint: string;
  readonly createdAtMs: number;
  /** Null while the connector may be used. */
  readonly revokedAtMs: number | null;
  /** Of its token, to the minute, a minute late. Null: it was not used since this is recorded. */
  readonly lastUsedAtMs: number | null;
};

/** What a connector is added with. */
export type NewConnector = {
  readonly project: Project;
  /** Unique among the project's connectors that are not revoked. */
  readonly name: string;
  readonly hosts: readonly RegisteredHost[];
  readonly settings?: Partial<ConnectorSettings> | undefined;
  readonly environment?: string | undefined;
  /** A token to use instead of a new random one; for tests and moves. */
  readonly token?: string | undefined;
};

/** A connector with the settings of its project that apply to it. */
const select = (sql: Sql) =>
  queryBuilder(sql)
    .select({
      row: connectors,
      projectAgent: projects.agent,
      projectHandoff: fragment<string | null>`${projects.settings}->>'handoff'`,
      variants: fragment<readonly Variant[] | null>`${projects.settings}->'variants'`,
    })
    .from(connectors)
    .innerJoin(projects, eq(projects.id, connectors.projectId));

type ConnectorRow = Awaited<ReturnType<typeof select>>[number];

/**
 * Adds a connector and returns its token. This is the only time the token is seen: the database keeps its hash.
 *
 * Fails with an `AccountError`: a host that could never match (HOST-10), or a name or token already in use.
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
  if (added === null) throw new AccountError('not_found', `The connector "${name}" was removed meanwhile.`);
  return { connector: added, token };
}

/** The connectors with these tokens, in their order, null for each that is not there or is revoked. */
export async function findConnectorsByToken(
  sql: Sql,
  tokens: readonly string[],
): Promise<readonly (Connector | null)[]> {
  // Found by their hashes: how long the index search takes says nothing about a token. The comparison afterwards makes
  // sure that no laxer comparison of the database (a collation) decides.
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

/** The connector with this token, or null when there is none or it is revoked. */
export async function findConnectorByToken(sql: Sql, token: string): Promise<Connector | null> {
  const [connector = null] = await findConnectorsByToken(sql, [token]);
  return connector;
}

/** The connector with an id, revoked or not, or null. */
export async function findConnectorById(sql: Sql, id: string): Promise<Connector | null> {
  const [row] = await select(sql).where(eq(connectors.id, id));
  return row === undefined ? null : readRow(row);
}

/** The connectors with these ids, in their order, revoked or not, null for each that is not there. */
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

/** The project's connector with a name that is not revoked, or null. */
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
 * Revokes a connector: its token and the access tokens minted with it no longer work, and every node closes its sockets
 * within two seconds (TOK-6). Returns whether it was in use.
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

function readRow({ row, projectAgent, projectHandoff, variants }: ConnectorRow): Connector {
  const { tokenHash: _, settings: stored, createdAt, revokedAt, lastUsedAt, ...connector } = row;
  const settings = v.parse(connectorSettingsSchema, stored);
  return {
    ...connector,
    settings,
    agent: settings.agent ?? projectAgent,
    variants: readVariants(variants),
    handoff: settings.handoff ?? projectHandoff,
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
