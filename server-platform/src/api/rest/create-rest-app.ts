import { CORRELATION_HEADERS, type Operation, parseBody, usesVendorNames } from '@natter/sdk';
import { type Context, Hono, type Next } from 'hono';
import PQueue from 'p-queue';
import { type Credentials, createCredentials } from '../../accounts/index.ts';
import type { AuthFailureLimiter } from '../../accounts/tokens/index.ts';
import type { Database } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import type { PlatformEnv } from '../../kit/http/index.ts';
import { createWindowLimiter, type WindowLimiter } from '../../kit/http/index.ts';
import { coalesceReads } from '../../realtime/event-log/index.ts';
import { answerOnce, readIdempotencyKey } from './answer-once.ts';
import { type AuthenticationSources, authenticate } from './authenticate.ts';
import { errorAnswer, jsonAnswer } from './error-answer.ts';
import { exampleOf, readHost, regionOf } from './host-regions.ts';
import { IGNORED_PARAMETERS_HEADER, ignoredParameters } from './ignored-parameters.ts';
import { readBody, readBytes, readQuery } from './read-request.ts';
import { isRestError, REST_ERRORS, RestError } from './rest-error.ts';
import type { AnyCall, RestAnswer, RestRoute } from './rest-route.ts';
import type { RestSettings } from './rest-services.ts';

/** Options of the REST application. */
export interface RestAppOptions {
  readonly database: Database;
  /** Default: separate lookups in the database. */
  readonly credentials?: Credentials;
  readonly clock: Clock;
  readonly settings: RestSettings;
  readonly routes: readonly RestRoute[];
  readonly onFailure: (what: string, error: unknown, correlationId: string) => void;
  /** Counts wrong keys and connector tokens. */
  readonly guesses: AuthFailureLimiter;
  /** Runs every call, so that a shutdown can wait for them. Default: a separate unlimited queue. */
  readonly calls?: PQueue;
}

type ServeOptions = RestAppOptions & { readonly sources: AuthenticationSources };
type RestContext = Context<PlatformEnv>;

const NOT_IMPLEMENTED = 501;
/** Set on responses of a service without regions, because callers name none. Source: C-2. */
const REGION_HEADER = 'X-Natter-Region';
const MINUTE_MS = 60_000;

/**
 * Serves the route groups of rest.md: for every route the contract's checks in order (path, method, key, limit, query,
 * body), its error body, and its headers. The caller handles all other paths.
 */
export function createRestApp(options: RestAppOptions): Hono<PlatformEnv> {
  const { calls = new PQueue(), database, credentials = createCredentials(database) } = options;
  const sources = { credentials, sql: coalesceReads(database) };
  const { requestsPerMinute } = options.settings;
  const limiter =
    requestsPerMinute === null
      ? null
      : createWindowLimiter({ limit: requestsPerMinute, windowMs: MINUTE_MS });
  const app = new Hono<PlatformEnv>();
  for (const [path, routes] of byPath(options.routes)) {
    for (const route of routes) {
      app.on(route.operation.method, path, (context, next) =>
        calls.add(() => serve({ ...options, sources }, route, limiter, context, next)),
      );
    }
    app.all(path, (context, next) => refuseMethod(options, routes, context, next));
  }
  return app;
}

/** C-2: refuses every request to a host without a region; null for any other host. */
export function refuseWithoutRegion(
  settings: RestSettings,
  request: Request,
  correlationId: string,
): Response | null {
  const reading = readHost(settings.hosts, request.headers.get('host'));
  if (reading.kind !== 'no_region') return null;
  const answer = errorAnswer(regionRequired(reading.example), 'E', correlationId);
  const name = CORRELATION_HEADERS[settings.vendorNames === true ? 'vendor' : 'neutral'] ?? '';
  answer.headers.set(name, correlationId);
  return answer;
}

const regionRequired = (example: string): RestError =>
  new RestError(404, 'REGION_REQUIRED', `The host must name a region, such as ${example}`);

/**
 * Refuses an operation of a service with regions on an unknown host name, such as an address. Other pages of the
 * platform, such as the console, are served under any name. Source: C-2.
 */
function findMissingRegion(
  { hosts }: RestSettings,
  { service }: Operation,
  context: RestContext,
): RestError | null {
  const host = hosts[service];
  const reading = readHost(hosts, context.req.header('host') ?? null);
  return host !== null && reading.kind === 'other' ? regionRequired(exampleOf(host)) : null;
}

async function serve(
  options: ServeOptions,
  route: RestRoute,
  limiter: WindowLimiter | null,
  context: RestContext,
  next: Next,
): Promise<Response | undefined> {
  if (!isServed(options.settings, route.operation, context)) return void (await next());
  const { correlationId } = context.var;
  const { operation } = route;
  const ignored = ignoredParameters(route, new URL(context.req.raw.url).searchParams);
  const complete = (answer: Response): Response => {
    if (ignored !== null) answer.headers.set(IGNORED_PARAMETERS_HEADER, ignored);
    return finish(options.settings, operation, correlationId, answer);
  };
  try {
    const missing = findMissingRegion(options.settings, operation, context);
    if (missing !== null) throw missing;
    return complete(await answerCall(options, route, limiter, context));
  } catch (error) {
    const refusal = isRestError(error) ? error : REST_ERRORS.internal();
    const { signal } = context.req.raw;
    // Work that stops because its caller has disconnected is not a failure.
    const hasLeft = signal.aborted && error === signal.reason;
    // A failure of the platform: the caller only gets the error id; the operator's log has the cause.
    if (refusal.status >= 500 && refusal.status !== NOT_IMPLEMENTED && !hasLeft)
      options.onFailure(`serve ${operation.id}`, refusal.cause ?? error, correlationId);
    return complete(errorAnswer(refusal, operation.errorShape, correlationId));
  }
}

async function answerCall(
  { sources, database, clock, settings, guesses, onFailure }: ServeOptions,
  route: RestRoute,
  limiter: WindowLimiter | null,
  context: RestContext,
): Promise<Response> {
  const request = context.req.raw;
  const { operation } = route;
  const reading = readHost(settings.hosts, request.headers.get('host'));
  const parameters = new URL(request.url).searchParams;
  const params = context.req.param();
  const caller = await authenticate(sources, route, {
    headers: request.headers,
    params,
    query: parameters,
    region: regionOf(settings.hosts, operation.service, reading),
    nowMs: clock.now(),
    guesses,
    address: context.var.clientAddress,
  });
  const verdict = limiter?.use(caller.key.id, clock.now());
  if (verdict?.allowed === false) throw REST_ERRORS.rateLimited(verdict.retryAfterSeconds);
  route.check?.(request);
  const idempotencyKey = readIdempotencyKey(route, request);
  const note = (what: string, error: unknown): void => onFailure(what, error, context.var.correlationId);
  const handle = async (call: AnyCall): Promise<Response> => toResponse(await route.handle(call), operation);
  const call: AnyCall = {
    ...caller,
    request,
    params,
    correlationId: context.var.correlationId,
    query: readQuery(route, parameters),
    body: await readBody(route, request),
    hasVendorNames: usesVendorNames(settings.vendorNames, operation.family),
    readBytes: (maxBytes) => readBytes(request, maxBytes),
  };
  return idempotencyKey === null
    ? await handle(call)
    : await answerOnce({ sql: database, onFailure: note }, route, call, idempotencyKey, handle);
}

function refuseMethod(
  { settings }: RestAppOptions,
  routes: readonly RestRoute[],
  context: RestContext,
  next: Next,
): Response | Promise<void> {
  const served = routes.filter(({ operation }) => isServed(settings, operation, context));
  const [first] = served;
  if (first === undefined) return next();
  const methods = served.map(({ operation }) => operation.method);
  // A route for GET answers HEAD as well.
  const allowed = methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  const error = REST_ERRORS.methodNotAllowed(allowed);
  const { correlationId } = context.var;
  const answer = errorAnswer(
    findMissingRegion(settings, first.operation, context) ?? error,
    first.operation.errorShape,
    correlationId,
  );
  return finish(settings, first.operation, correlationId, answer);
}

/** Whether this host serves the operation's service, in the path's version. */
function isServed(settings: RestSettings, operation: Operation, context: RestContext): boolean {
  const reading = readHost(settings.hosts, context.req.header('host') ?? null);
  if (reading.kind === 'service' && reading.regions[operation.service] === undefined) return false;
  const { version } = operation.pathParameters;
  return version === undefined || parseBody(version, context.req.param('version')).isOk;
}

function toResponse(answer: RestAnswer, { success }: Operation): Response {
  if (answer instanceof Response) return answer;
  return answer === null
    ? new Response(null, { status: success.status })
    : jsonAnswer(answer, success.status);
}

/** Adds the headers of every response. Source: C-12, section 2. */
function finish(
  { hosts, vendorNames }: RestSettings,
  { family, service }: Operation,
  correlationId: string,
  answer: Response,
): Response {
  const name = CORRELATION_HEADERS[usesVendorNames(vendorNames, family) ? 'vendor' : 'neutral'] ?? '';
  answer.headers.set(name, correlationId);
  if (hosts[service] === null) answer.headers.set(REGION_HEADER, 'none');
  // Conversations and key scopes are private to the caller.
  if (!answer.headers.has('cache-control')) answer.headers.set('Cache-Control', 'no-store');
  return answer;
}

/** The pattern that an operation is mounted under. */
export function pathOf({ path }: Pick<Operation, 'path'>): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function byPath(routes: readonly RestRoute[]): ReadonlyMap<string, readonly RestRoute[]> {
  const paths = new Map<string, RestRoute[]>();
  for (const route of routes) {
    const path = pathOf(route.operation);
    paths.set(path, [...(paths.get(path) ?? []), route]);
  }
  return paths;
}
