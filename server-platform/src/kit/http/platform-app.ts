import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { SETUP_ERRORS, type SetupError } from 'natter/protocol';
import { clientAddress } from './client-address.ts';
import { correlationIdFrom } from './correlation.ts';
import { createMetricsRoute, type MetricsRouteOptions } from './metrics-route.ts';
import { observeRequests, type RequestObserver } from './observe-requests.ts';
import { refusalResponse } from './refusal.ts';
import { traceRequests } from './trace-requests.ts';

/** Request variables available to every route. */
export interface RequestVariables {
  readonly correlationId: string;
  /** The address that rate limits count. */
  readonly clientAddress: string;
}

/** The environment of the platform's routes. */
export interface PlatformEnv {
  readonly Variables: RequestVariables;
  readonly Bindings: Partial<HttpBindings>;
}

/** Options of the HTTP application. */
export interface PlatformAppOptions {
  /** Routes by base path. */
  readonly routes: Readonly<Record<string, Hono<PlatformEnv>>>;
  /** Number of reverse proxies in front that write `X-Forwarded-For`. */
  readonly trustedProxyHops: number;
  /** Whether the platform is started, not shutting down, and its database responds. */
  readonly isReady: () => Promise<boolean>;
  /** The metrics page for scrapers with a token; absent: no metrics page on this port. */
  readonly metrics?: Omit<MetricsRouteOptions, 'addressOf'> | undefined;
  readonly onFailure: (what: string, error: unknown, correlationId: string) => void;
  /** Called for every request, with and without a route. */
  readonly observer?: RequestObserver | undefined;
  /** May respond before any route except the probes; null: continue. */
  readonly refuse?: (request: Request, correlationId: string) => Response | null;
}

/** The platform's HTTP application: correlation ids, probes, metrics, and the routes of all groups. */
export function createPlatformApp(options: PlatformAppOptions): Hono<PlatformEnv> {
  // A trailing slash is optional.
  const app = new Hono<PlatformEnv>({ strict: false });

  app.use(async (context, next) => {
    const { headers } = context.req.raw;
    const peer = context.env?.incoming?.socket.remoteAddress;
    context.set(
      'correlationId',
      correlationIdFrom((name) => headers.get(name)),
    );
    context.set(
      'clientAddress',
      clientAddress(peer, headers.get('x-forwarded-for'), options.trustedProxyHops),
    );
    await next();
  });
  if (options.observer !== undefined) app.use(observeRequests(options.observer));

  for (const path of ['/livez', '/healthz']) app.get(path, (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) => {
    const isReady = await options.isReady();
    return context.json({ status: isReady ? 'ready' : 'not_ready' }, isReady ? 200 : 503);
  });

  // The peer's address proves nothing, because a reverse proxy on this machine has a loopback address too.
  if (options.metrics !== undefined) {
    const addressOf = ({ var: { clientAddress } }: Context<PlatformEnv>): string => clientAddress;
    app.get('/metrics', createMetricsRoute({ ...options.metrics, addressOf }));
  }

  // Probes and scrapes are not traced.
  app.use(traceRequests);
  app.all('/ws', answerWithoutUpgrade);

  app.use(async (context, next) => {
    const refusal = options.refuse?.(context.req.raw, context.var.correlationId) ?? null;
    return refusal ?? (await next());
  });
  for (const [path, routes] of Object.entries(options.routes)) app.route(path, routes);

  app.notFound((context) =>
    refusalResponse({ error: SETUP_ERRORS.notFound, correlationId: context.var.correlationId }),
  );
  app.onError((error, context) => {
    const { correlationId } = context.var;
    options.onFailure('serve a request', error, correlationId);
    return refusalResponse({ error: SETUP_ERRORS.internalError, correlationId });
  });
  return app;
}

/** Refuses a request for the socket without an upgrade. */
const UPGRADE_REQUIRED: SetupError = {
  status: 426,
  text: 'This address accepts WebSocket handshakes only, but the request has no Upgrade header. If a WebSocket client sent it, configure the proxy in between to forward the headers Upgrade and Connection.',
  code: 'UPGRADE_REQUIRED',
};

/** Responds to plain requests at `/ws`: 426, or 405 for other methods than a handshake's. */
function answerWithoutUpgrade(context: Context<PlatformEnv>): Response {
  const { correlationId } = context.var;
  const isRead = ['GET', 'HEAD'].includes(context.req.method);
  return refusalResponse(
    isRead
      ? { error: UPGRADE_REQUIRED, correlationId, headers: { Upgrade: 'websocket', Connection: 'Upgrade' } }
      : { error: SETUP_ERRORS.methodNotAllowed, correlationId, headers: { Allow: 'GET' } },
  );
}
