import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessagingLimits } from '@natter/platform';
import type { Clock } from '@natter/token-proxy';
import { nodeHandshake, startTokenProxy } from '@natter/token-proxy/node';
import { type FlakyLink, startFlakyLink } from '../../demo/link/flaky-link.ts';
import type { PlatformHandle } from './platform/platform-handle.ts';
import type { PlatformSettings } from './platform/platform-messages.ts';
import { startPlatformNodes } from './platform/platform-nodes.ts';
import { SoakClock } from './soak-clock.ts';
import { unlimitedProxy } from './unlimited-proxy.ts';

/** One platform with its token proxy, and the links through which a visitor reaches them. */
export interface Lane {
  readonly platform: PlatformHandle;
  /** A client's endpoint: the proxy, through the visitor's network. */
  readonly endpoint: string;
  /** The visitor's network: to the platform's socket, and to the token proxy. */
  readonly visitorLinks: readonly FlakyLink[];
  /** The time of clients, links and proxy. Runs slower while the platform starts, or cannot keep up. */
  readonly clock: SoakClock;
  /** Called with the time of every answer of the platform; the clock waits until they resolve. None may reject. */
  readonly followers: Set<(nowMs: number) => Promise<void>>;
  /** Every line the proxy logged. */
  readonly proxyLog: readonly string[];
  close(): Promise<void>;
}

/** Options of a lane. */
export interface LaneOptions {
  /** Highest speed of the clients' clock, as a multiple of the machine's. */
  readonly speed: number;
  readonly limits?: Partial<MessagingLimits>;
  /** Default: an embedded database in a new folder. */
  readonly database?: PlatformSettings['database'];
  /** Nodes on that database, behind a round-robin load balancer. Default 1. */
  readonly nodes?: number;
  /** The bus between them. Default: that database. */
  readonly busUrl?: string;
  /** While a file of this name exists, the platform has a full disk. */
  readonly fullDisk?: string;
  readonly wordPauseMs?: number;
  /** Pages that may call the proxy. Default: none, only callers without an origin. */
  readonly origins?: readonly string[];
}

const NOWHERE = { host: '127.0.0.1', port: 1 } as const;
const A_DAY_S = 86_400;
/** The proxy's own limit for one call to the platform, but on the lane's clock. */
const ATTEMPT_MS = 6_000;

/**
 * The platform's limits on a clock that runs `speed` times as fast: what protects it from people is kept, what would only
 * block thousands of sessions from one address is not.
 */
function fastLimits(speed: number): Partial<MessagingLimits> {
  return {
    accessTokensPerMinute: 1_000_000,
    sessionsPerMinute: 1_000_000,
    framesPerSecond: 5 * speed,
    heartbeatsPerSecond: speed,
    pingIntervalMs: 30_000 / speed,
    // The client's clock is ahead of the platform's, and the more so the longer the run.
    tokenLifetimeSeconds: A_DAY_S * 365,
    // The clients' budget that the contract assumes when none is named; 31 s are shorter than a slow start of a platform.
    maxReconnectAttempts: 10,
    shutdownGraceMs: 20_000 / speed,
    shutdownJitterMs: 2_000 / speed,
  };
}

/** Aborts with `signal`, or when a call to the platform has taken too long by the lane's clock. */
function attemptSignal(clock: SoakClock, signal: AbortSignal): AbortSignal {
  const timeout = new AbortController();
  clock.setTimer(
    () => timeout.abort(new DOMException('The call took too long.', 'TimeoutError')),
    ATTEMPT_MS,
  );
  return AbortSignal.any([signal, timeout.signal]);
}

/** The lane's clock as the proxy wants it. */
const proxyClock = (clock: SoakClock): Clock => ({
  now: () => clock.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const cancel = clock.setTimer(resolve, ms);
      signal.addEventListener('abort', () => {
        cancel();
        reject(signal.reason);
      });
    }),
});

/** Starts a lane; resolves when its platform accepts connections. */
export async function startLane(options: LaneOptions): Promise<Lane> {
  const { speed, origins = [] } = options;
  const folder = options.database ? null : await mkdtemp(join(tmpdir(), 'natter-soak-'));
  const connectorToken = `soak-${randomBytes(16).toString('hex')}`;
  const clock = new SoakClock({ rate: speed });
  const followers: Lane['followers'] = new Set();
  const socketLink = await startFlakyLink(NOWHERE, { clock });
  const upstreamLink = await startFlakyLink(NOWHERE, { clock });
  const { nodes = 1 } = options;
  const sharedUrl = options.database && 'databaseUrl' in options.database && options.database.databaseUrl;
  const busUrl = nodes > 1 ? (options.busUrl ?? sharedUrl) : undefined;
  const platform = startPlatformNodes({
    nodes,
    settings: {
      database: options.database ?? { dataDir: join(folder ?? '', 'data') },
      tokenSecret: randomBytes(32).toString('base64'),
      connectorToken,
      limits: { ...fastLimits(speed), ...options.limits },
      wordPauseMs: options.wordPauseMs ?? 2,
      node: 'soak',
      ...(busUrl && { busUrl }),
      port: 0,
    },
    ...(options.fullDisk !== undefined && { fullDisk: options.fullDisk }),
    onReady: (ports) => {
      const targets = ports.map((port) => ({ host: '127.0.0.1', port }));
      for (const link of [socketLink, upstreamLink]) link.retarget(...targets);
    },
    onAnswer: async () => {
      await Promise.all([...followers].map((tell) => tell(clock.now())));
      clock.markAnswered();
    },
  });
  const proxyLog: string[] = [];
  const proxy = await startTokenProxy({
    ...unlimitedProxy({
      upstreamPort: upstreamLink.port,
      socketPort: socketLink.port,
      connectorToken,
      write: (fields, message) => proxyLog.push(`${message} ${JSON.stringify(fields)}`),
    }),
    allowedOrigins: ['https://example.com', ...origins],
    clock: proxyClock(clock),
    fetch: (input, init) =>
      fetch(input, { ...init, ...(init.signal && { signal: attemptSignal(clock, init.signal) }) }),
    handshake: (url, asked) => nodeHandshake(url, { ...asked, signal: attemptSignal(clock, asked.signal) }),
  });
  const proxyLink = await startFlakyLink(
    { host: '127.0.0.1', port: Number(new URL(proxy.url).port) },
    { clock },
  );
  const lane: Lane = {
    platform,
    endpoint: `http://127.0.0.1:${proxyLink.port}`,
    visitorLinks: [socketLink, proxyLink],
    clock,
    followers,
    proxyLog,
    async close() {
      await platform.close();
      await Promise.all([socketLink, upstreamLink, proxyLink].map((link) => link.close()));
      await proxy.close();
      clock.close();
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await platform.ready();
  } catch (error) {
    await lane.close();
    throw error;
  }
  return lane;
}
