import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import type { MessagingLimits } from '../../server-platform/src/messaging/messaging-limits.ts';
import { type FlakyLink, startFlakyLink } from '../flaky-link.ts';
import { type PlatformHandle, startPlatformProcess } from './platform-handle.ts';
import type { PlatformSettings } from './platform-messages.ts';
import { SoakClock } from './soak-clock.ts';

/** One platform with its token proxy, and the links through which a visitor reaches them. */
export interface Lane {
  readonly platform: PlatformHandle;
  /** What a client is given as its endpoint: the proxy, through the visitor's network. */
  readonly endpoint: string;
  /** The visitor's network: to the platform's socket, and to the token proxy. */
  readonly visitorLinks: readonly FlakyLink[];
  /** The clients' time. Runs slower while the platform starts, or cannot keep up. */
  readonly clock: SoakClock;
  /** When connections to the platform's socket were let through, as `performance.now()` says. */
  readonly connectionTimes: number[];
  /** Every line the proxy logged. */
  readonly proxyLog: readonly string[];
  close(): Promise<void>;
}

/** What a lane is started with. */
export interface LaneOptions {
  /** How many times as fast as the machine's the clients' clock runs at most. */
  readonly speed: number;
  /** Always that fast, whatever the machine can do. Default false. */
  readonly isSteady?: boolean;
  readonly limits?: Partial<MessagingLimits>;
  /** Default: an embedded database in a new folder. */
  readonly database?: PlatformSettings['database'];
  readonly wordPauseMs?: number;
  /** Pages that may call the proxy. Default: none, only callers without an origin. */
  readonly origins?: readonly string[];
}

const NOWHERE = { host: '127.0.0.1', port: 1 } as const;
const A_DAY_S = 86_400;
// A platform that answers later than this is starting, or the machine is busy with something else.
const MAX_LAG_MS = 50;
const SLOW_FACTOR = 8;

/**
 * The platform's limits on a clock that runs `speed` times as fast: what protects it from people is kept, what would only
 * stand in the way of thousands of sessions from one address is not.
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

/** Starts a lane; resolves when its platform takes connections. */
export async function startLane(options: LaneOptions): Promise<Lane> {
  const { speed, origins = [], isSteady = false } = options;
  const folder = options.database ? null : await mkdtemp(join(tmpdir(), 'natter-soak-'));
  const connectorToken = `soak-${randomBytes(16).toString('hex')}`;
  const connectionTimes: number[] = [];
  const socketLink = await startFlakyLink(NOWHERE, {
    onConnection: () => connectionTimes.push(performance.now()),
  });
  const upstreamLink = await startFlakyLink(NOWHERE);
  const platform = startPlatformProcess({
    settings: {
      database: options.database ?? { dataDir: join(folder ?? '', 'data') },
      tokenSecret: randomBytes(32).toString('base64'),
      connectorToken,
      limits: { ...fastLimits(speed), ...options.limits },
      wordPauseMs: options.wordPauseMs ?? 2,
      node: 'soak',
    },
    onReady: (port) => {
      for (const link of [socketLink, upstreamLink]) link.retarget({ host: '127.0.0.1', port });
    },
  });
  const proxyLog: string[] = [];
  const write = (fields: object, message: string): void => {
    proxyLog.push(`${message} ${JSON.stringify(fields)}`);
  };
  const proxy = await startTokenProxy({
    upstreamUrl: `http://127.0.0.1:${upstreamLink.port}`,
    websocketUrl: `ws://127.0.0.1:${socketLink.port}/ws`,
    connectors: { default: { token: connectorToken, host: 'example.com' } },
    ticketKeys: [createTicketKey()],
    allowedOrigins: ['https://example.com', ...origins],
    allowRequestsWithoutOrigin: true,
    ticketLifetimeSeconds: A_DAY_S,
    limits: { sessionsPerClient: 0, resumesPerClient: 0, sessionsTotal: 0, resumesTotal: 0 },
    deadlineMs: 20_000 / speed,
    attemptTimeoutMs: 6_000 / speed,
    log: { info: write, warn: write, error: write },
  });
  const proxyLink = await startFlakyLink({ host: '127.0.0.1', port: Number(new URL(proxy.url).port) });
  const clock = new SoakClock(speed);
  const pacing = setInterval(() => {
    if (!isSteady) clock.rate = platform.lagMs > MAX_LAG_MS ? Math.max(1, speed / SLOW_FACTOR) : speed;
  }, 10);
  const lane: Lane = {
    platform,
    endpoint: `http://127.0.0.1:${proxyLink.port}`,
    visitorLinks: [socketLink, proxyLink],
    clock,
    connectionTimes,
    proxyLog,
    async close() {
      clearInterval(pacing);
      clock.close();
      await platform.close();
      await Promise.all([socketLink, upstreamLink, proxyLink].map((link) => link.close()));
      await proxy.close();
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
