import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { AccessTokens } from '../auth/access-tokens.ts';
import { createPlatformApp, type PlatformAppOptions } from '../http/platform-app.ts';
import { Gateway } from './gateway.ts';
import type { MessagingMetrics } from './metrics.ts';
import { createSessionOperations } from './session-operations.ts';
import { SessionRegistry } from './session-registry.ts';
import type { SessionServices } from './session-services.ts';
import { createSetupRoutes, type SetupRoutesOptions } from './setup-routes.ts';

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
  readonly renewalMs: number;
  readonly sweepMs: number;
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
  /** Not ready, no new sockets, turns finished, sockets closed with 1001, leases released. Source: "Shutdown". */
  close(): Promise<void>;
}

/** Starts HTTP, sockets and sessions on one port. */
export async function startMessaging(options: MessagingOptions): Promise<RunningMessaging> {
  const { services, tokens } = options;
  const { limits, observer, database } = services;
  const registry = new SessionRegistry(services);
  const gateway = new Gateway({ services, tokens, registry });
  const metrics = options.createMetrics({
    sockets: () => gateway.socketCount,
    sessions: () => registry.sessionCount,
  });
  let isStopping = false;

  const operations = createSessionOperations({ ...options, registry });
  const setup: SetupRoutesOptions = {
    connectors: services.connectors,
    tokens,
    clock: services.clock,
    limits,
    ...operations,
    onFailure: (what, error, correlationId) => observer.failed(what, error, { correlationId }),
  };
  const app = createPlatformApp({
    routes: { '/api/v1': createSetupRoutes(setup), ...options.routes },
    ...(options.refuse !== undefined && { refuse: options.refuse }),
    trustedProxyHops: options.trustedProxyHops,
    async isReady() {
      if (isStopping) return false;
      return await database.ping().then(
        () => true,
        (error: unknown) => {
          observer.failed('reach the database', error);
          return false;
        },
      );
    },
    metrics: async () => ({ contentType: metrics.contentType, body: await metrics.page() }),
    onFailure: (what, error, correlationId) => observer.failed(what, error, { correlationId }),
  });

  const server = createServer(getRequestListener(app.fetch));
  server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head));
  const port = await listen(server, options.hostname, options.port);
  registry.start({ renewalMs: options.renewalMs, sweepMs: options.sweepMs });

  return {
    port,
    registry,
    async close() {
      isStopping = true;
      gateway.refuseHandshakes();
      const { shutdownGraceMs } = limits;
      await Promise.all([registry.finishTurns(shutdownGraceMs), options.finishRequests?.(shutdownGraceMs)]);
      await gateway.close(limits.shutdownJitterMs);
      await registry.close();
      await services.activity.close();
      await stopServer(server);
    },
  };
}

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
