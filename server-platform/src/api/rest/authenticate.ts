import type { Service } from '@natter/sdk';
import {
  type Account,
  type ApiKey,
  type Connector,
  type Credentials,
  findAccount,
  findAccountById,
  findProject,
  findProjectById,
  type Project,
} from '../../accounts/index.ts';
import type { AuthFailureLimiter } from '../../accounts/tokens/index.ts';
import type { Sql } from '../../db/index.ts';
import { REST_ERRORS, type RestError, validationError } from './rest-error.ts';
import type { RestRoute } from './rest-route.ts';

/** Lookups of keys, accounts and projects. */
export interface AuthenticationSources {
  readonly credentials: Credentials;
  /** Used for reads only. */
  readonly sql: Sql;
}

/** Credentials and scope as given by the request. */
export interface RequestCredentials {
  readonly headers: Headers;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The region from the host name or of the deployment; null: none. */
  readonly region: string | null;
  readonly nowMs: number;
  /** Counts wrong keys and connector tokens. */
  readonly guesses: AuthFailureLimiter;
  /** The client address that wrong credentials are counted under. */
  readonly address: string;
}

/** The authenticated caller, with the account and project of the call. */
export interface Caller {
  readonly key: ApiKey;
  readonly account: Account;
  /** Null: the call is about the account. */
  readonly project: Project | null;
  /** Null: the route needs no connector. */
  readonly connector: Connector | null;
}

/**
 * Authenticates a call and finds its account and project, in the order of 1.5: 401 for an unknown key (or connector
 * token), 403 for one with another scope, 404 for an unknown item within the key's scope. Too many wrong keys or
 * connector tokens get 429; valid ones are never refused for that.
 *
 * Fails with a `RestError`.
 */
export async function authenticate(
  { credentials, sql }: AuthenticationSources,
  route: RestRoute,
  request: RequestCredentials,
): Promise<Caller> {
  const { operation } = route;
  const key = await findKey(credentials, operation.keyHeader, operation.service, request);
  const connector = operation.needsConnectorToken ? await findConnector(credentials, request) : null;
  const isAllowed = route.permissions.every((permission) => key.permissions.includes(permission));
  if (!isAllowed || key.isLegacy !== route.isLegacy) throw REST_ERRORS.forbidden();
  const { account, project } = await findTarget(sql, route, key, request);
  if (connector !== null && connector.projectId !== project?.id) throw REST_ERRORS.invalidConnectorToken();
  return { key, account, project, connector };
}

async function findKey(
  credentials: Credentials,
  header: string,
  service: Service,
  request: RequestCredentials,
): Promise<ApiKey> {
  const text = request.headers.get(header)?.trim() ?? '';
  const key = text === '' ? null : await credentials.findKey(text, request.nowMs);
  if (key === null) throw await refuseGuess(request, text, REST_ERRORS.invalidKey());
  if (key.service !== service) throw REST_ERRORS.invalidKey();
  // C-2: a key works in one region only.
  if (key.region !== null && request.region !== null && key.region !== request.region)
    throw REST_ERRORS.invalidKey();
  return key;
}

async function findConnector(credentials: Credentials, request: RequestCredentials): Promise<Connector> {
  const token = request.headers.get('x-token')?.trim() ?? '';
  const connector = token === '' ? null : await credentials.findConnector(token);
  if (connector === null) throw await refuseGuess(request, token, REST_ERRORS.invalidConnectorToken());
  return connector;
}

/** Refuses an unknown credential: with the contract's error, or 429. A missing one does not count as a guess. */
async function refuseGuess(
  { guesses, address }: RequestCredentials,
  credential: string,
  refusal: RestError,
): Promise<RestError> {
  if (credential === '') return refusal;
  const verdict = await guesses.count(address, credential);
  return verdict.allowed ? refusal : REST_ERRORS.rateLimited(verdict.retryAfterSeconds);
}

type Target = Pick<Caller, 'account' | 'project'>;

function findTarget(sql: Sql, route: RestRoute, key: ApiKey, request: RequestCredentials): Promise<Target> {
  const { params, query } = request;
  switch (route.projectFrom) {
    case null:
      return ownAccount(sql, key);
    case 'key':
      return ownProject(sql, key);
    case 'agent':
      return agentOf(sql, key, params['agentId'] ?? '');
    case 'path':
      return projectOf(sql, key, params['account_id'] ?? '', params['project_id'] ?? '');
    case 'query':
      return projectOf(sql, key, readOnce(query, 'account_id'), readOnce(query, 'project_id'));
  }
}

function readOnce(query: URLSearchParams, name: string): string {
  const [value = '', ...more] = query.getAll(name);
  if (value === '') throw validationError([{ field: name, message: 'is required' }]);
  if (more.length > 0) throw validationError([{ field: name, message: 'must be given once' }]);
  return value;
}

/** Returns the account of the key; none for a key that covers every account. */
async function ownAccount(sql: Sql, key: ApiKey): Promise<Target> {
  const account = key.accountId === null ? null : await findAccountById(sql, key.accountId);
  if (account === null || key.projectId !== null) throw REST_ERRORS.forbidden();
  return { account, project: null };
}

/** Returns the virtual agent that the key is bound to. */
async function ownProject(sql: Sql, key: ApiKey): Promise<Target> {
  const project = key.projectId === null ? null : await findProjectById(sql, key.projectId);
  const account = project === null ? null : await findAccountById(sql, project.accountId);
  if (account === null) throw REST_ERRORS.forbidden();
  return { account, project };
}

async function agentOf(sql: Sql, key: ApiKey, reference: string): Promise<Target> {
  const own = key.accountId === null ? null : await findAccountById(sql, key.accountId);
  const project =
    own === null ? await findProjectById(sql, reference) : await findProject(sql, own, reference);
  if (key.projectId !== null && project?.id !== key.projectId) throw REST_ERRORS.forbidden();
  const account = own ?? (project === null ? null : await findAccountById(sql, project.accountId));
  if (project === null || account === null) throw REST_ERRORS.projectNotFound();
  return { account, project };
}

/**
 * A narrow key reveals nothing: everything outside its scope is forbidden, whether it exists or not. Source: rest.md
 * 1.5.
 */
async function projectOf(
  sql: Sql,
  key: ApiKey,
  accountReference: string,
  projectReference: string,
): Promise<Target> {
  const account = await findAccount(sql, accountReference);
  if (key.accountId !== null && account?.id !== key.accountId) throw REST_ERRORS.forbidden();
  if (account === null) throw REST_ERRORS.accountNotFound();
  const project = await findProject(sql, account, projectReference);
  if (key.projectId !== null && project?.id !== key.projectId) throw REST_ERRORS.forbidden();
  if (project === null) throw REST_ERRORS.projectNotFound();
  return { account, project };
}
