import type { Operation, Schema } from '@natter/sdk';
import type { Account, ApiKey, Connector, KeyPermission, Project } from '../../accounts/index.ts';

/** Where a call names its project: in the path, as `{agentId}`, in the query, or only through the key. */
export type ProjectSource = 'path' | 'agent' | 'query' | 'key';

/** An authenticated call with parsed body and query, as handlers receive it. */
export interface AccountCall<Body = undefined, Query = undefined> {
  readonly request: Request;
  readonly correlationId: string;
  readonly key: ApiKey;
  readonly account: Account;
  /** Path parameters as given. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly query: Query;
  /** Whether this route group uses vendor names. Source: section 2. */
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

/** A handler's result: the body, sent as JSON with the operation's status; null for no body; or a complete response. */
export type RestAnswer = Response | object | null;

/** Metadata of a route besides its handler. */
export interface RouteOptions<Body, Query> {
  /** Method, path, service, error body and key header. */
  readonly operation: Operation;
  /** Required permissions; 403 if one is missing. Source: 1.5. */
  readonly permissions: readonly KeyPermission[];
  /** Legacy model of conversations v1 and v2: only legacy keys are accepted. Default: legacy keys are refused. */
  readonly isLegacy?: boolean;
  /** If absent, the body is not read. */
  readonly body?: Schema<Body>;
  readonly query?: Schema<Query>;
  /** Checks the request after authentication, before the body is read; throws a `RestError`. */
  readonly check?: (request: Request) => void;
  /** Distinguishes calls with the same `Idempotency-Key`, in addition to body, its type and query. */
  readonly distinguish?: (request: Request) => string;
}

/** A call as passed to any route. */
export interface AnyCall extends AccountCall<unknown, unknown> {
  readonly project: Project | null;
  readonly connector: Connector | null;
}

/** A route, ready to be mounted. */
export interface RestRoute extends Omit<RouteOptions<unknown, unknown>, 'isLegacy'> {
  readonly isLegacy: boolean;
  /** Null: the call concerns the key's account. */
  readonly projectFrom: ProjectSource | null;
  readonly handle: (call: AnyCall) => Promise<RestAnswer>;
}

/**
 * Makes a route for the key's account. Source: sections 9 to 11.
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

/** Makes a route for one project, named as `projectFrom` says. */
export function projectRoute<Body = undefined, Query = undefined>(
  options: RouteOptions<Body, Query> & { readonly projectFrom: ProjectSource },
  handle: (call: ProjectCall<Body, Query>) => Promise<RestAnswer>,
): RestRoute {
  return erase(options, options.projectFrom, handle);
}

/** Makes a route for one project through one of its connectors, whose token is in `X-TOKEN`. Source: 1.5. */
export function connectorRoute<Body = undefined, Query = undefined>(
  options: RouteOptions<Body, Query>,
  handle: (call: ConnectorCall<Body, Query>) => Promise<RestAnswer>,
): RestRoute {
  return erase(options, 'path', handle);
}

// The caller has parsed body and query with the route's schemas, and has found the project and connector that the
// functions above require, so the call matches the handler; types cannot express that.
function erase<Call>(
  { isLegacy = false, ...options }: RouteOptions<never, never> | RouteOptions<unknown, unknown>,
  projectFrom: ProjectSource | null,
  handle: (call: Call) => Promise<RestAnswer>,
): RestRoute {
  return { ...options, isLegacy, projectFrom, handle: (call) => handle(call as Call) };
}
