import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { SETUP_ERRORS, type SetupError } from 'natter/protocol';
import { clientAddress } from './client-address.ts';
import { correlationIdFrom } from './correlation.ts';
import { isKnownEncoding } from './json-body.ts';
import { createMetricsRoute, type MetricsRouteOptions } from './metrics-route.ts';
import { observeRequests, type RequestObserver } from './observe-requests.ts';
import { refusalResponse } from './refusal.ts';
import { traceRequests } from './trace-requests.ts';

/** What every route may read of its request. */
export interface RequestVariables {
  readonly correlationId: string;
  /** Who is counted for rate limits. */
  readonly clientAddress: string;
}

/** The environment of the platform's routes. */
export interface PlatformEnv {
  readonly Variables: RequestVariables;
  readonly Bindings: Partial<HttpBindings>;
}

/** What the application is put together from. */
export interface PlatformAppOptions {
  /** Routes by the path they hang under. */
  readonly routes: Readonly<Record<string, Hono<PlatformEnv>>>;
  /** Reverse proxies in front that write `X-Forwarded-For`. */
  readonly trustedProxyHops: number;
  /** Whether the platform can serve: started, not shutting down, database answers. */
  readonly isReady: () => Promise<boolean>;
  /** The metrics page for scrapers with a token; left out: this port has no metrics page. */
  readonly metrics?: Omit<MetricsRouteOptions, 'addressOf'> | undefined;
  readonly onFailure: (what: string, error: unknown, correlationId: string) => void;
  /** Called for every answered request, with and without a route. */
  readonly observer?: RequestObserver | undefined;
  /** Answers before any route but the probes does; null: continue. */
  readonly refuse?: (request: Request, correlationId: string) => Response | null;
}

/** The platform's HTTP side: correlation ids, probes, metrics, and the routes of the families. */
export function createPlatformApp(options: PlatformAppOptions): Hono<PlatformEnv> {
  // A path finds its route with a slash at its end, too.
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

  // The address of the peer proves nothing: a reverse proxy on this machine has a loopback address too.
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
  app.use(async (context, next) => {
    const encoding = context.req.header('content-encoding') ?? 'identity';
    if (isKnownEncoding(encoding)) return await next();
    return refusalResponse({ error: UNKNOWN_ENCODING, correlationId: context.var.correlationId });
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

const UNKNOWN_ENCODING: SetupError = {
  status: 415,
  text: 'Request body has an unknown Content-Encoding: send it plain, or as gzip, deflate or br',
  code: 'UNSUPPORTED_MEDIA_TYPE',
};
/** The answer to a request for the socket that asks for no upgrade. */
const UPGRADE_REQUIRED: SetupError = {
  status: 426,
  text: 'This address answers WebSocket handshakes only, and this request asks for no upgrade. If a WebSocket client sent it, a proxy on the way drops the headers Upgrade and Connection: let it pass them on.',
  code: 'UPGRADE_REQUIRED',
};

/** Answers what arrives at `/ws` as a plain request: 426, and 405 for methods that no handshake has. */
function answerWithoutUpgrade(context: Context<PlatformEnv>): Response {
  const { correlationId } = context.var;
  const isRead = ['GET', 'HEAD'].includes(context.req.method);
  return refusalResponse(
    isRead
      ? { error: UPGRADE_REQUIRED, correlationId, headers: { Upgrade: 'websocket', Connection: 'Upgrade' } }
      : { error: SETUP_ERRORS.methodNotAllowed, correlationId, headers: { Allow: 'GET' } },
  );
}
