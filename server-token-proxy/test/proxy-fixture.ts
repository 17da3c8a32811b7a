import { createTokenProxy } from '../src/create-token-proxy.ts';
import type { Clock } from '../src/kit/clock.ts';
import type { Log, LogFields } from '../src/kit/log.ts';
import type { RequestInfo, TokenProxy, TokenProxyOptions } from '../src/options.ts';
import { createTicketKey } from '../src/sessions/ticket-key.ts';
import { type FakeUpstream, makeAccessToken, startFakeUpstream } from './fake-upstream.ts';

/** The page that every fixture allows. */
export const PAGE_ORIGIN = 'https://www.kittiwake.example';
/** Headers that a browser on that page sends with a POST. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  Origin: PAGE_ORIGIN,
  'Sec-Fetch-Site': 'cross-site',
  'Content-Type': 'application/json',
};
/** A secret connector token that no log and no error may show. */
export const CONNECTOR_TOKEN = 'connector-token-kittiwake-3f9a';
/** The session that the fake platform opens. */
export const SESSION_ID = '7d0f7f0a-53a1-4a68-a3ec-7d8d1b0f6a55';

/** A clock that jumps over every wait and remembers how long it was. */
export interface JumpingClock extends Clock {
  readonly waits: readonly number[];
  advance(ms: number): void;
}

/** Starts at a fixed moment, so that expiry can be read off the answers. */
export function createJumpingClock(startMs: number = Date.UTC(2026, 0, 15, 9)): JumpingClock {
  let nowMs = startMs;
  const waits: number[] = [];
  return {
    waits,
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      nowMs += ms;
    },
  };
}

/** One line as a log received it. */
export interface LogLine {
  readonly level: keyof Log;
  readonly fields: LogFields;
  readonly message: string;
}

/** A log that keeps its lines. */
function createRecordingLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const keep =
    (level: keyof Log) =>
    (fields: LogFields, message: string): void => {
      lines.push({ level, fields, message });
    };
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}

/** A proxy before a fake platform. */
export interface ProxyFixture {
  readonly proxy: TokenProxy;
  readonly upstream: FakeUpstream;
  readonly clock: JumpingClock;
  readonly logLines: readonly LogLine[];
  readonly accessToken: string;
  readonly ticketKey: string;
  readonly options: TokenProxyOptions;
  /** A POST as the allowed page would send it. */
  post(
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
    info?: RequestInfo,
  ): Promise<Response>;
}

/** A request as the allowed page would send it; headers given as '' are left out. */
export function makePost(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Request {
  const merged = Object.entries({ ...PAGE_HEADERS, ...headers }).filter(([, value]) => value !== '');
  return new Request(`https://chat.kittiwake.example${path}`, {
    method: 'POST',
    headers: Object.fromEntries(merged),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Starts a fake platform and a proxy before it; `overrides` replaces options. */
export async function createProxyFixture(overrides: Partial<TokenProxyOptions> = {}): Promise<ProxyFixture> {
  const clock = createJumpingClock();
  const accessToken = makeAccessToken({ sub: 'visitor', exp: clock.now() / 1_000 + 86_400 });
  const upstream = await startFakeUpstream(accessToken, SESSION_ID);
  const log = createRecordingLog();
  const ticketKey = createTicketKey();
  const options: TokenProxyOptions = {
    upstreamUrl: upstream.url,
    websocketUrl: 'wss://messaging.kittiwake.example/ws',
    connectors: { default: { token: CONNECTOR_TOKEN, host: 'www.kittiwake.example' } },
    ticketKeys: [ticketKey],
    allowedOrigins: [PAGE_ORIGIN],
    limits: {
      sessionsPerClient: 0,
      resumesPerClient: 0,
      turnsPerClient: 0,
      uploadsPerClient: 0,
      searchesPerClient: 0,
      sessionsTotal: 0,
      resumesTotal: 0,
      turnsTotal: 0,
      uploadsTotal: 0,
      searchesTotal: 0,
    },
    clock,
    log,
    ...overrides,
  };
  const proxy = createTokenProxy(options);
  return {
    proxy,
    upstream,
    clock,
    logLines: log.lines,
    accessToken,
    ticketKey,
    options,
    post: (path, body, headers, info) => proxy(makePost(path, body, headers), info),
  };
}
