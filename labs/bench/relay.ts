import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import { WebSocket } from 'ws';
import { CONNECTOR_TOKEN, type Memory, withServer } from './servers/bench-server.ts';
import { type Echoes, measureEchoes } from './servers/echo-client.ts';
import { startProcess } from './servers/start-process.ts';

// What a relayed socket costs beside one that the browser opens at the platform: how much later an echo comes, and what the
// process that holds it needs. Both kinds get their sessions from a token proxy in a separate process, and talk to the same
// platform, by turns. A heartbeat is stored nowhere, so that its echo takes as long as the way. Arguments: seconds of a
// measurement, rounds, sockets whose memory is measured.
const SECONDS = Number(process.argv[2] ?? 4);
const ROUNDS = Number(process.argv[3] ?? 3);
const IDLE_SOCKETS = Number(process.argv[4] ?? 1_000);
const SENDERS = 8;
const AT_ONCE = 16;
// Three busy processes on two cores would measure how the system shares the cores.
const PAUSE_MS = 5;
const ORIGIN = 'http://localhost';
const HEARTBEAT = '{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}';

/** The path of a browser's socket: directly to the platform, or through the relay. */
type Way = 'direct' | 'relay';

const child = process.env['NATTER_BENCH_PROXY'];
if (child === undefined) await measure();
else await serveProxy(JSON.parse(child));

async function measure(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'natter-bench-'));
  try {
    await measureOn(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureOn(dataDir: string): Promise<void> {
  const found: Record<Way, Echoes[]> = { direct: [], relay: [] };
  await withServer({ kind: 'gateway', place: { dataDir } }, (platformPort, _, platformMemory) =>
    withProxy('direct', platformPort, (direct) =>
      withProxy('relay', platformPort, async (relay) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const proxy of [direct, relay]) {
            const sockets = await runMany(SENDERS, async () => openSocket(await requestAddress(proxy)));
            const isEcho = (text: string): boolean => text.includes('"EVENT_TYPE_HEARTBEAT"');
            const senders = sockets.map((ws) => ({ ws, frame: () => HEARTBEAT, isEcho }));
            found[proxy.way].push(
              await measureEchoes(senders, { seconds: SECONDS, unanswered: 1, pauseMs: PAUSE_MS }),
            );
            for (const ws of sockets) ws.terminate();
          }
        }
        print(found);
        for (const proxy of [direct, relay]) {
          // Sessions cost the proxy more than sockets, and both kinds the same.
          const addresses = await runMany(IDLE_SOCKETS, () => requestAddress(proxy));
          const [ofProxy, ofPlatform] = [await proxy.memory(), await platformMemory()];
          const sockets = await runMany(IDLE_SOCKETS, (index) => openSocket(addresses[index] ?? ''));
          printMemory(`${proxy.way}, the token proxy`, ofProxy, await proxy.memory());
          printMemory(`${proxy.way}, the platform`, ofPlatform, await platformMemory());
          for (const ws of sockets) ws.terminate();
        }
      }),
    ),
  );
}

/** Medians of the rounds. */
function print(found: Readonly<Record<Way, readonly Echoes[]>>): void {
  const medianOf = (way: Way, key: 'medianMs' | 'p99Ms'): number =>
    found[way].map((each) => each[key]).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  for (const [name, key] of [
    ['50 %', 'medianMs'],
    ['99 %', 'p99Ms'],
  ] as const) {
    const [direct, relay] = [medianOf('direct', key), medianOf('relay', key)];
    console.log(
      `echo of a heartbeat, ${SENDERS} sockets, ${name}: direct ${direct.toFixed(2)} ms, relay ${relay.toFixed(2)} ms, added ${(relay - direct).toFixed(2)} ms`,
    );
  }
}

function printMemory(what: string, before: Memory, after: Memory): void {
  const perSocket = (key: keyof Memory): string =>
    `${((after[key] - before[key]) / IDLE_SOCKETS / 1_000).toFixed(1)} kB`;
  console.log(
    `${what}: ${perSocket('residentBytes')} of memory per socket, ${perSocket('heapBytes')} of it heap (${IDLE_SOCKETS} sockets)`,
  );
}

/** A token proxy in a separate process. */
interface BenchProxy {
  readonly way: Way;
  readonly url: string;
  readonly memory: () => Promise<Memory>;
}

async function withProxy<T>(
  way: Way,
  platformPort: number,
  use: (proxy: BenchProxy) => Promise<T>,
): Promise<T> {
  const started = startProcess(fileURLToPath(import.meta.url), {
    NATTER_BENCH_PROXY: JSON.stringify({ way, platformPort }),
  });
  const answer = async <Answer>(): Promise<Answer> => ((await once(started, 'message')) as [Answer])[0];
  const { url } = await answer<{ readonly url: string }>();
  try {
    return await use({
      way,
      url,
      memory() {
        started.send('memory');
        return answer<Memory>();
      },
    });
  } finally {
    const exited = once(started, 'exit');
    started.send('stop');
    await exited;
  }
}

/** The process's side. */
async function serveProxy({
  way,
  platformPort,
}: {
  readonly way: Way;
  readonly platformPort: number;
}): Promise<void> {
  const plenty = 1_000_000;
  const proxy = await startTokenProxy({
    upstreamUrl: `http://127.0.0.1:${platformPort}`,
    connectors: { default: { token: CONNECTOR_TOKEN, host: 'localhost' } },
    ticketKeys: [createTicketKey()],
    allowedOrigins: [ORIGIN],
    limits: { sessionsPerClient: 0, sessionsTotal: 0, resumesPerClient: 0, resumesTotal: 0 },
    relay: way === 'relay',
    relaySocketsPerClient: plenty,
    relaySocketsTotal: plenty,
    logLevel: 'error',
  });
  process.send?.({ url: proxy.url });
  for (;;) {
    const [message] = await once(process, 'message');
    if (message === 'stop') break;
    // What the first one makes unreachable by finalizers is collected by the second.
    for (let times = 0; times < 2; times += 1) globalThis.gc?.();
    const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
    process.send?.({ residentBytes, heapBytes } satisfies Memory);
  }
  await proxy.close();
  process.disconnect();
}

/** Runs `task` so often, a few at once. */
async function runMany<T>(count: number, task: (index: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  let next = 0;
  const runSome = async (): Promise<void> => {
    while (next < count) results.push(await task(next++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runSome));
  return results;
}

/** Requests a session, as the widget does, and returns the address of its socket. */
async function requestAddress({ url }: BenchProxy): Promise<string> {
  const headers = { 'Content-Type': 'application/json', Origin: ORIGIN };
  const response = await fetch(`${url}/v1/session`, { method: 'POST', headers, body: '{}' });
  const session: Readonly<Record<string, string>> = await response.json();
  const { session_id = '', access_token = '', websocket_url, relay_ticket: ticket } = session;
  return ticket === undefined
    ? `${websocket_url}?${new URLSearchParams({ session_id, access_token })}`
    : `${url.replace('http', 'ws')}/v1/ws?${new URLSearchParams({ ticket })}`;
}

async function openSocket(address: string): Promise<WebSocket> {
  const ws = new WebSocket(address, { perMessageDeflate: false, origin: ORIGIN });
  await once(ws, 'open');
  return ws;
}
