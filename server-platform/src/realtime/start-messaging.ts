import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createHttpServer } from '@natter/server-kit/create-http-server';
import { UNNAMED_HOST } from '@natter/server-kit/has-one-host';
import {
  type AccessTokens,
  type AuthFailureLimiter,
  createAuthFailureLimiter,
} from '../accounts/tokens/index.ts';
import {
  type CreateLimiter,
  createCachedCheck,
  createPlatformApp,
  type PlatformAppOptions,
  refuseUnreadable,
} from '../kit/http/index.ts';
import { runShutdown, type ShutdownStep } from '../kit/shutdown.ts';
import { createSessionOperations } from './gateway/create-session.ts';
import { Gateway } from './gateway/gateway.ts';
import type { SetupOptions } from './gateway/setup-requests.ts';
import { createSetupRoutes } from './gateway/setup-routes.ts';
import { createSetupWatch, type SetupWatch } from './gateway/setup-watch.ts';
import type { VisitorData } from './gateway/visitor-data.ts';
import type { MessagingContext } from './messaging-context.ts';
import type { MessagingLimits } from './messaging-limits.ts';
import type { MessagingMetrics } from './metrics.ts';
import type { SessionManager } from './sessions/session-manager.ts';

/** Options of {@link startMessaging}. */
export interface MessagingOptions {
  readonly context: MessagingContext;
  readonly tokens: AccessTokens;
  /** The session manager of the same context. Runs until messaging stops. */
  readonly manager: SessionManager;
  readonly metrics: Pick<MessagingMetrics, 'page' | 'contentType' | 'watchGateway'>;
  /** Signing keys for verified context by project; null when the feature is disabled. Source: section 15. */
  readonly contextKeysOf: (projectId: string) => Promise<ReadonlyMap<string, string> | null>;
  /** Access to visitors' stored data. Default: none. Source: 3.7. */
  readonly visitorData?: VisitorData;
  readonly hostname: string;
  /** 0 chooses any free port. */
  readonly port: number;
  readonly trustedProxyHops: number;
  /** Counts wrong connector and access tokens. Default: a separate counter. */
  readonly guesses?: AuthFailureLimiter;
  /** Creates rate limits shared by all nodes. Default: limits in memory. */
  readonly createLimiter?: CreateLimiter;
  readonly renewalMs: number;
  readonly sweepMs: number;
  /** Bearer token of the metrics page on this port; null or absent: no metrics page. */
  readonly metricsToken?: string | null;
  /** Further families' routes, by path. */
  readonly routes?: PlatformAppOptions['routes'];
  /** Called for every request. */
  readonly requestObserver?: PlatformAppOptions['observer'];
  /** May refuse a request before any route except the probes handles it. */
  readonly refuse?: PlatformAppOptions['refuse'];
  /** Resolves when the other route groups have no open requests, at the latest after `graceMs`. */
  readonly finishRequests?: (graceMs: number) => Promise<void>;
}

/** The messaging side of a running platform. */
export interface RunningMessaging {
  readonly port: number;
  readonly manager: SessionManager;
  /**
   * Not ready, no new sockets; then each session finishes its turn, is released, and its sockets close with 1001. Every
   * step runs, even if an earlier one failed. Never rejects: failures go to the observer. Source: "Shutdown".
   */
  close(): Promise<void>;
}

/** Starts HTTP, sockets and sessions on one port. */
export async function startMessaging(options: MessagingOptions): Promise<RunningMessaging> {
  const { context, manager, metrics, tokens, trustedProxyHops } = options;
  const { limits, observer, clock } = context;
  const { guesses = createAuthFailureLimiter({ clock, limit: limits.wrongCredentialsPerMinute }) } = options;
  const watch = createSetupWatch(clock, observer);
  const gateway = new Gateway({ context, tokens, manager, guesses, trustedProxyHops, setup: watch });
  metrics.watchGateway({ sockets: () => gateway.socketCount, sessions: () => manager.sessionCount });
  let isStopping = false;
  const isDatabaseThere = shareDatabaseCheck(context);
  const app = createPlatformApp({
    routes: { '/api/v1': createSetupRoutes(toSetupOptions(options, guesses, watch)), ...options.routes },
    ...(options.refuse !== undefined && { refuse: options.refuse }),
    observer: options.requestObserver,
    trustedProxyHops,
    isReady: async () => !isStopping && (await isDatabaseThere()),
    ...(options.metricsToken && { metrics: { token: options.metricsToken, metrics, guesses } }),
    onFailure: (what, error, correlationId) => observer.failed(what, error, { correlationId }),
  });

  // Sessions cannot be owned without a lease.
  await context.lease.key();
  const server = createServer(app, gateway, limits);
  const port = await listen(server, options.hostname, options.port);
  manager.start({ renewalMs: options.renewalMs, sweepMs: options.sweepMs });

  return {
    port,
    manager,
    async close() {
      isStopping = true;
      watch.close();
      gateway.refuseHandshakes();
      releaseKeptConnections(server);
      await runShutdown(stepsOfShutdown(options, gateway, server), (what, error) =>
        observer.failed(what, error),
      );
    },
  };
}

/** The endpoint is public, so concurrent callers share one database check. */
function shareDatabaseCheck({ clock, database, observer }: MessagingContext): () => Promise<boolean> {
  return createCachedCheck(clock, () =>
    database.ping().then(
      () => true,
      (error: unknown) => {
        observer.failed('reach the database', error);
        return false;
      },
    ),
  );
}

function toSetupOptions(
  options: MessagingOptions,
  guesses: AuthFailureLimiter,
  watch: SetupWatch,
): SetupOptions {
  const { context, tokens } = options;
  return {
    connectors: context.connectors,
    tokens,
    clock: context.clock,
    limits: context.limits,
    guesses,
    ...(options.createLimiter && { createLimiter: options.createLimiter }),
    ...createSessionOperations(options),
    ...(options.visitorData && { visitorData: options.visitorData }),
    watch,
    hasAgent: (connector) => context.agentFor(connector, '') !== null,
    onFailure: (what, error, correlationId) => context.observer.failed(what, error, { correlationId }),
  };
}

function createServer(
  app: ReturnType<typeof createPlatformApp>,
  gateway: Gateway,
  limits: MessagingLimits,
): Server {
  const serve = getRequestListener(app.fetch, { hostname: UNNAMED_HOST });
  return createHttpServer(
    {
      onRequest: (request, response) => void serve(request, response),
      handshakes: {
        isHandshake: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
        onHandshake: (request, socket, head) => gateway.handleUpgrade(request, socket, head),
      },
      onUnreadable: (socket, reason) => refuseUnreadable(socket, reason, limits.maxHeaderBytes),
    },
    limits,
  );
}

function stepsOfShutdown(
  { context, manager, finishRequests }: MessagingOptions,
  gateway: Gateway,
  server: Server,
): readonly ShutdownStep[] {
  const { shutdownGraceMs: graceMs, shutdownJitterMs: windowMs } = context.limits;
  const closeConnections = (sessionId: string): Promise<void> => gateway.closeSession(sessionId);
  const drain = (): Promise<unknown> =>
    Promise.all([manager.drain({ windowMs, graceMs, closeConnections }), finishRequests?.(graceMs)]);
  return [
    { what: 'hand over its sessions', timeoutMs: windowMs + graceMs + CLOSING_MS, run: drain },
    { what: 'close sockets', timeoutMs: WRITING_MS, run: () => gateway.close() },
    { what: 'finish pending writes', timeoutMs: WRITING_MS, run: () => manager.close() },
    { what: 'release its sessions', timeoutMs: WRITING_MS, run: () => context.lease.release() },
    { what: 'store activity', timeoutMs: WRITING_MS, run: () => context.activity.close() },
    { what: 'stop the server', timeoutMs: CLOSING_MS, run: () => stopServer(server) },
  ];
}

// Time limits for shutdown steps: one for steps within this process, one for steps that use the database. With grace
// and jitter they stay below the 30 s after which orchestrators kill a process.
const CLOSING_MS = 500;
const WRITING_MS = 1_000;

// Pending connections in the kernel while this thread is busy. Node's default of 511 is too small after a restart, when
// every client reconnects: kernels retry dropped connections after one, three and seven seconds.
const BACKLOG = 4_096;

function listen(server: Server, hostname: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: hostname, backlog: BACKLOG }, () => {
      server.off('error', reject);
      // A server that listens on a host and port has an `AddressInfo`.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Closes keep-alive connections, now or after their next response. A load balancer only redirects new connections: a
 * token proxy that reuses an old connection for its health check would report the whole platform as down.
 */
function releaseKeptConnections(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.closeIdleConnections();
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
