import { randomUUID } from 'node:crypto';
import { isRegistrableHost, type RegisteredHost } from 'natter/protocol';
import * as v from 'valibot';
import { isDatabaseError, type Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import {
  type ConnectorSettings,
  connectorSettingsSchema,
  DEFAULT_CONNECTOR_SETTINGS,
  writeConnectorSettings,
} from './connector-settings.ts';
import { checkConnectorToken, newConnectorToken } from './connector-token.ts';
import type { Project } from './projects.ts';
import { checkName } from './reference.ts';
import { hashToken, hintOfToken, isSameHash } from './token-hash.ts';

/** A way into a project: the hosts that may use it and how conversations behave. */
export type Connector = {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly hosts: readonly RegisteredHost[];
  readonly settings: ConnectorSettings;
  /** Name of the agent configuration that answers: the connector's, else the project's. */
  readonly agent: string | null;
  /** Name of the hand-off provider: the connector's, else the project's; null: none. */
  readonly handoff: string | null;
  /** Such as `live` or `sandbox`; conversations carry it. */
  readonly environment: string;
  /** Last four characters of the token. */
  readonly tokenHint: string;
  readonly createdAtMs: number;
  /** Null while the connector may be used. */
  readonly revokedAtMs: number | null;
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

type ConnectorRow = {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly hosts: readonly RegisteredHost[];
  readonly settings: unknown;
  readonly project_agent: string | null;
  readonly project_handoff: string | null;
  readonly environment: string;
  readonly token_hint: string;
  readonly token_hash: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
};

const SELECT = `SELECT c.id, c.project_id, c.name, c.hosts, c.settings, p.agent AS project_agent,
    p.settings->>'handoff' AS project_handoff, c.environment,
    c.token_hint, c.token_hash, c.created_at, c.revoked_at
  FROM connectors c JOIN projects p ON p.id = c.project_id`;

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
    await sql.query(
      `INSERT INTO connectors (id, project_id, name, token_hash, token_hint, hosts, settings, environment, created_at)
       VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9)`,
      [
        id,
        project.id,
        name,
        hashToken(token),
        hintOfToken(token),
        JSON.stringify(hosts),
        JSON.stringify(writeConnectorSettings(settings)),
        connector.environment ?? 'live',
        nowMs,
      ],
    );
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
  const rows = await sql.query<ConnectorRow>(
    `${SELECT} WHERE c.token_hash = ANY($1::text[]) AND c.revoked_at IS NULL`,
    [[...new Set(hashes)]],
    { prepare: true },
  );
  return hashes.map((hash) => {
    const row = rows.find(({ token_hash: stored }) => isSameHash(stored, hash));
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
  const [row] = await sql.query<ConnectorRow>(`${SELECT} WHERE c.id = $1`, [id]);
  return row === undefined ? null : readRow(row);
}

/** The connectors with these ids, in their order, revoked or not, null for each that is not there. */
export async function findConnectorsById(
  sql: Sql,
  ids: readonly string[],
): Promise<readonly (Connector | null)[]> {
  const rows = await sql.query<ConnectorRow>(`${SELECT} WHERE c.id = ANY($1::uuid[])`, [[...new Set(ids)]], {
    prepare: true,
  });
  const found = new Map(rows.map((row) => [row.id, readRow(row)]));
  return ids.map((id) => found.get(id) ?? null);
}

/** The project's connector with a name that is not revoked, or null. */
export async function findConnectorByName(
  sql: Sql,
  project: Project,
  name: string,
): Promise<Connector | null> {
  const [row] = await sql.query<ConnectorRow>(
    `${SELECT} WHERE c.project_id = $1 AND c.name = $2 AND c.revoked_at IS NULL`,
    [project.id, name],
  );
  return row === undefined ? null : readRow(row);
}

/** Connectors of a project, or all, the revoked ones last. */
export async function listConnectors(sql: Sql, project?: Project): Promise<readonly Connector[]> {
  const rows = await sql.query<ConnectorRow>(
    `${SELECT} WHERE $1::text IS NULL OR c.project_id = $1
     ORDER BY c.revoked_at IS NOT NULL, c.project_id, c.name, c.created_at`,
    [project?.id ?? null],
  );
  return rows.map(readRow);
}

/** Changes hosts, settings or environment of a connector; what is left out stays. The token stays. */
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
    await sql.query(
      `UPDATE connectors SET hosts = $2::jsonb, settings = $3::jsonb, environment = $4,
              token_hash = COALESCE($5, token_hash), token_hint = COALESCE($6, token_hint)
        WHERE id = $1`,
      [
        connector.id,
        JSON.stringify(hosts),
        JSON.stringify(writeConnectorSettings({ ...connector.settings, ...fields.settings })),
        fields.environment ?? connector.environment,
        token === undefined ? null : hashToken(checkConnectorToken(token)),
        token === undefined ? null : hintOfToken(token),
      ],
    );
  } catch (error) {
    throw explain(error, null, connector.name);
  }
}

/**
 * Revokes a connector: its token and the access tokens minted with it no longer work, and every node closes its sockets
 * within two seconds (TOK-6). Returns whether it was in use.
 */
export async function revokeConnector(sql: Sql, id: string, nowMs: number = Date.now()): Promise<boolean> {
  const rows = await sql.query(
    'UPDATE connectors SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id',
    [id, nowMs],
  );
  return rows.length > 0;
}

function checkHosts(hosts: readonly RegisteredHost[]): readonly RegisteredHost[] {
  const refused = hosts.find((host) => !isRegistrableHost(host));
  if (refused === undefined) return hosts.map(({ kind, value }) => ({ kind, value: value.trim() }));
  throw new AccountError(
    'invalid',
    refused.kind === 'domain'
      ? `The host "${refused.value}" could never match. Write a domain such as example.com or https://example.com:8443, or localhost; no wildcards, subdomains match by themselves.`
      : `The app "${refused.value}" could never match. Write its namespace, such as com.example.app, without spaces.`,
  );
}

function explain(error: unknown, project: Project | null, name: string): unknown {
  if (!isDatabaseError(error) || error.sqlState !== '23505') return error;
  return error.constraint === 'connectors_token_hash_key'
    ? new AccountError('exists', `The token for the connector "${name}" belongs to another connector.`)
    : new AccountError('exists', `The project "${project?.slug ?? ''}" has a connector "${name}" already.`);
}

function readRow(row: ConnectorRow): Connector {
  const settings = v.parse(connectorSettingsSchema, row.settings);
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    hosts: row.hosts,
    settings,
    agent: settings.agent ?? row.project_agent,
    handoff: settings.handoff ?? row.project_handoff,
    environment: row.environment,
    tokenHint: row.token_hint,
    createdAtMs: row.created_at,
    revokedAtMs: row.revoked_at,
  };
}
