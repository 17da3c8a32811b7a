import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { AccessTokens } from '../auth/access-tokens.ts';
import { createGuessLimiter, type GuessLimiter } from '../auth/guess-limiter.ts';
import { createHttpServer } from '../http/create-http-server.ts';
import type { MetricsPage } from '../http/metrics-route.ts';
import { answerBadHandshake, answerBadRequest, hasOneHost } from '../http/one-host.ts';
import { createPlatformApp, type PlatformAppOptions } from '../http/platform-app.ts';
import { shareCheck } from '../http/share-check.ts';
import { runShutdown } from '../shutdown.ts';
import { Gateway } from './gateway.ts';
import type { MessagingMetrics } from './metrics.ts';
import { createSessionOperations } from './session-operations.ts';
import { SessionRegistry } from './session-registry.ts';
import type { SessionServices } from './session-services.ts';
import { createSetupRoutes, type SetupRoutesOptions } from './setup-routes.ts';
import { createSetupWatch } from './setup-watch.ts';

/** What the messaging side is started with. */
export interface MessagingOptions {
  readonly services: SessionServices;
  readonly tokens: AccessTokens;
  /** Gets the registry and gateway before the first request, for the gauges. */
  readonly createMetrics: (sources: {
    readonly sockets: () => number;
    readonly sessions: () => number;
  }) => Pick<MessagingMetrics, 'page' | 'contentType'>;
  /** Signing keys for verified context by project; null: the feature is off. Source: section 15. */
  readonly contextKeysOf: (projectId: string) => Promise<ReadonlyMap<string, string> | null>;
  readonly hostname: string;
  /** 0: any free port. */
  readonly port: number;
  readonly trustedProxyHops: number;
  /** Counts wrong connector and access tokens. Default: a counter of its own. */
  readonly guesses?: GuessLimiter;
  readonly renewalMs: number;
  readonly sweepMs: number;
  /** The bearer token of the metrics page on this port; null or left out: the port has no such page. */
  readonly metricsToken?: string | null;
  /** Further families' routes, by path. */
  readonly routes?: PlatformAppOptions['routes'];
  /** Answers before any route but the probes does. */
  readonly refuse?: PlatformAppOptions['refuse'];
  /** Resolves when no other family answers a request any more, at the latest after `graceMs`. */
  readonly finishRequests?: (graceMs: number) => Promise<void>;
}

/** The messaging side of a running platform. */
export interface RunningMessaging {
  readonly port: number;
  readonly registry: SessionRegistry;
  /** The metrics page as it is now. */
  readonly metricsPage: () => Promise<MetricsPage>;
  /**
   * Not ready, no new sockets, turns finished, sockets closed with 1001, leases released. Every step runs, whatever
   * became of the one before. Never rejects: failures go to the observer. Source: "Shutdown".
   */
  close(): Promise<void>;
}

/** Starts HTTP, sockets and sessions on one port. */
export async function startMessaging(options: MessagingOptions): Promise<RunningMessaging> {
  const { services, tokens, trustedProxyHops } = options;
  const { limits, observer, database } = services;
  const { guesses = createGuessLimiter({ clock: services.clock, limit: limits.wrongCredentialsPerMinute }) } =
    options;
  const registry = new SessionRegistry(services);
  const watch = createSetupWatch(services.clock, observer);
  const gateway = new Gateway({ services, tokens, registry, guesses, trustedProxyHops, setup: watch });
  const metrics = options.createMetrics({
    sockets: () => gateway.socketCount,
    sessions: () => registry.sessionCount,
  });
  const metricsPage = async (): Promise<MetricsPage> => ({
    contentType: metrics.contentType,
    body: await metrics.page(),
  });
  let isStopping = false;
  // Whoever can reach the port may ask, so callers share an answer.
  const isDatabaseThere = shareCheck(services.clock, () =>
    database.ping().then(
      () => true,
      (error: unknown) => {
        observer.failed('reach the database', error);
        return false;
      },
    ),
  );

  const operations = createSessionOperations({ ...options, registry });
  const setup: SetupRoutesOptions = {
    connectors: services.connectors,
    tokens,
    clock: services.clock,
    limits,
    guesses,
    ...operations,
    watch,
    hasAgent: (connector) => services.agentFor(connector) !== null,
    onFailure: (what, error, correlationId) => observer.failed(what, error, { correlationId }),
  };
  const app = createPlatformApp({
    routes: { '/api/v1': createSetupRoutes(setup), ...options.routes },
    ...(options.refuse !== undefined && { refuse: options.refuse }),
    trustedProxyHops,
    isReady: async () => !isStopping && (await isDatabaseThere()),
    ...(options.metricsToken && { metrics: { token: options.metricsToken, page: metricsPage } }),
    onFailure: (what, error, correlationId) => observer.failed(what, error, { correlationId }),
  });

  // Without it no session could be claimed.
  await services.lease.key();
  const serve = getRequestListener(app.fetch);
  const server = createHttpServer((request, response) => {
    if (hasOneHost(request)) void serve(request, response);
    else answerBadRequest(response);
  }, limits);
  server.on('upgrade', (request, socket, head) => {
    if (hasOneHost(request)) gateway.handleUpgrade(request, socket, head);
    else answerBadHandshake(socket);
  });
  const port = await listen(server, options.hostname, options.port);
  registry.start({ renewalMs: options.renewalMs, sweepMs: options.sweepMs });

  return {
    port,
    registry,
    metricsPage,
    async close() {
      isStopping = true;
      watch.close();
      gateway.refuseHandshakes();
      const { shutdownGraceMs, shutdownJitterMs } = limits;
      const finish = (): Promise<unknown> =>
        Promise.all([registry.finishTurns(shutdownGraceMs), options.finishRequests?.(shutdownGraceMs)]);
      await runShutdown(
        [
          { what: 'finish turns', patienceMs: shutdownGraceMs + CLOSING_MS, run: finish },
          {
            what: 'close sockets',
            patienceMs: 2 * shutdownJitterMs + CLOSING_MS,
            run: () => gateway.close(shutdownJitterMs),
          },
          { what: 'finish what is being written', patienceMs: WRITING_MS, run: () => registry.close() },
          { what: 'release its sessions', patienceMs: WRITING_MS, run: () => services.lease.release() },
          { what: 'note activity', patienceMs: WRITING_MS, run: () => services.activity.close() },
          { what: 'stop the server', patienceMs: CLOSING_MS, run: () => stopServer(server) },
        ],
        (what, error) => observer.failed(what, error),
      );
    },
  };
}

// What a step of the shutdown may take that only waits for this process, and one that waits for the database: with the
// grace and the jitter below the 30 s after which orchestrators kill a process.
const CLOSING_MS = 500;
const WRITING_MS = 1_000;

// Connections that the kernel may hold while this thread is busy. Node's 511 are few after a restart, when every client
// comes back: those above are dropped, and tried again by their kernels after one, three and seven seconds.
const BACKLOG = 4_096;

function listen(server: Server, hostname: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: hostname, backlog: BACKLOG }, () => {
      server.off('error', reject);
      // A server that listens on a host and port has an address of this kind.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
