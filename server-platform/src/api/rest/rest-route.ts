import type { Operation, Schema } from '@natter/sdk';
import type { Account, ApiKey, Connector, KeyPermission, Project } from '../../accounts/index.ts';

/** Where the project of a call is named: in the path, as `{agentId}`, in the query, or by the key alone. */
export type ProjectSource = 'path' | 'agent' | 'query' | 'key';

/** What every handler gets: an authenticated call whose body and query have been read. */
export interface AccountCall<Body = undefined, Query = undefined> {
  readonly request: Request;
  readonly correlationId: string;
  readonly key: ApiKey;
  readonly account: Account;
  /** Parameters of the path, as they were written. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly query: Query;
  /** Whether this family writes vendor names. Source: section 2. */
  readonly hasVendorNames: boolean;
  /** The body as sent, for routes without a body schema; 413 beyond `maxBytes`, by default 1 MiB (C-7). */
  readonly readBytes: (maxBytes?: number) => Promise<Uint8Array>;
}

/** A call about one project. */
export interface ProjectCall<Body = undefined, Query = undefined> extends AccountCall<Body, Query> {
  readonly project: Project;
}

/** A call through a connector (`X-TOKEN`). */
export interface ConnectorCall<Body = undefined, Query = undefined> extends ProjectCall<Body, Query> {
  readonly connector: Connector;
}

/** What a handler answers: the body, sent as JSON with the operation's status; null for no body; or a whole response. */
export type RestAnswer = Response | object | null;

/** Metadata of a route besides its handler. */
export interface RouteOptions<Body, Query> {
  /** Method, path, service, error body and key header. */
  readonly operation: Operation;
  /** All of them are needed; without them 403. Source: 1.5. */
  readonly permissions: readonly KeyPermission[];
  /** The legacy model of conversations v1 and v2: legacy keys and no others. Default: legacy keys are refused. */
  readonly isLegacy?: boolean;
  /** Without it the body is not read. */
  readonly body?: Schema<Body>;
  readonly query?: Schema<Query>;
  /** Looks at the request once the key is accepted, before the body is read; throws a `RestError`. */
  readonly check?: (request: Request) => void;
  /** Distinguishes two calls with the same `Idempotency-Key`, in addition to body, its type and query. */
  readonly distinguish?: (request: Request) => string;
}

/** The call as the mount hands it to any route. */
export interface AnyCall extends AccountCall<unknown, unknown> {
  readonly project: Project | null;
  readonly connector: Connector | null;
}

/** A route, ready to be mounted. */
export interface RestRoute extends Omit<RouteOptions<unknown, unknown>, 'isLegacy'> {
  readonly isLegacy: boolean;
  /** Null: the call is about the key's account. */
  readonly projectFrom: ProjectSource | null;
  readonly handle: (call: AnyCall) => Promise<RestAnswer>;
}

/**
 * A route about one account, which the key names. Source: sections 9 to 11.
 *
 * @example
 * accountRoute({ operation: alertsListOperation, permissions: ['monitoring'], query: alertsQuerySchema }, async (call) =>
 *   ({ data: await listAlerts(sql, call.account, call.query) }));
 */
export function accountRoute<Body = undefined, Query = undefined>(
  options: RouteOptions<Body, Query>,
  handle: (call: AccountCall<Body, Query>) => Promise<RestAnswer>,
): RestRoute {
  return erase(options, null, handle);
}

/** A route about one project, named where `projectFrom` says. */
export function projectRoute<Body = undefined, Query = undefined>(
  options: RouteOptions<Body, Query> & { readonly projectFrom: ProjectSource },
  handle: (call: ProjectCall<Body, Query>) => Promise<RestAnswer>,
): RestRoute {
  return erase(options, options.projectFrom, handle);
}

/** A route about one project, through a connector of it whose token is in `X-TOKEN`. Source: 1.5. */
export function connectorRoute<Body = undefined, Query = undefined>(
  options: RouteOptions<Body, Query>,
  handle: (call: ConnectorCall<Body, Query>) => Promise<RestAnswer>,
): RestRoute {
  return erase(options, 'path', handle);
}

// The mount has read body and query with the route's own schemas, and has found project and connector where the
// constructor above asked for them, so the call is what the handler takes; the types cannot follow that.
function erase<Call>(
  { isLegacy = false, ...options }: RouteOptions<never, never> | RouteOptions<unknown, unknown>,
  projectFrom: ProjectSource | null,
  handle: (call: Call) => Promise<RestAnswer>,
): RestRoute {
  return { ...options, isLegacy, projectFrom, handle: (call) => handle(call as Call) };
}
