import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Agent } from '@natter/platform';
import pg from 'pg';
import { WebSocketServer } from 'ws';
import { startProcess } from './start-process.ts';

export const CONNECTOR_TOKEN = 'a-connector-token-for-the-bench';

/** A server to measure, in a separate process. */
export type ServerKind =
  | { readonly kind: 'bare' }
  | { readonly kind: 'gateway'; readonly place: object }
  | { readonly kind: 'socket.io'; readonly databaseUrl: string; readonly schema: string };

/** Resources that a platform's process has used since its start. */
export type Usage = { readonly processorMs: number; readonly statements: number };

/** Memory that a server's process holds after a garbage collection. */
export type Memory = { readonly residentBytes: number; readonly heapBytes: number };

/** A server while it runs. */
export type RunningServer = {
  readonly port: number;
  readonly usage: () => Promise<Usage>;
  readonly memory: () => Promise<Memory>;
};

// Pause between two chunks of an answer: shorter than a model's, longer than a commit.
const PAUSE_MS = 20;
const PEER = fileURLToPath(new URL('../peers/socket-io-server.js', import.meta.url));

const child = process.env['NATTER_BENCH_SERVER'];
if (child !== undefined) await serve(JSON.parse(child));

/** Runs `use` beside several servers, which are started one after the other. */
export async function withServers<T>(
  servers: readonly ServerKind[],
  use: (running: readonly RunningServer[]) => Promise<T>,
): Promise<T> {
  const [first, ...others] = servers;
  if (first === undefined) return await use([]);
  return await withServer(first, (port, usage, memory) =>
    withServers(others, (running) => use([{ port, usage, memory }, ...running])),
  );
}

/** Runs `use` beside the server. */
export async function withServer<T>(
  server: ServerKind,
  use: (port: number, usage: RunningServer['usage'], memory: RunningServer['memory']) => Promise<T>,
): Promise<T> {
  const process_: ChildProcess =
    server.kind === 'socket.io'
      ? fork(PEER, { env: { ...process.env, DATABASE_URL: server.databaseUrl, SCHEMA: server.schema } })
      : startProcess(fileURLToPath(import.meta.url), { NATTER_BENCH_SERVER: JSON.stringify(server) });
  const exited = once(process_, 'exit');
  const next = async <Answer>(): Promise<Answer> => {
    const answered = once(process_, 'message').then(([answer]) => ({ answer: answer as Answer }));
    const isOver = exited.then(([code, signal]) => `The measured server has ended: ${code ?? signal}.`);
    const first = await Promise.race([answered, isOver]);
    if (typeof first === 'string') throw new Error(first);
    return first.answer;
  };
  const ask = async <Answer>(question: 'usage' | 'memory'): Promise<Answer> => {
    process_.send(question);
    return await next<Answer>();
  };
  const message = await next<{ readonly port: number }>();
  try {
    return await use(
      message.port,
      () => ask<Usage>('usage'),
      () => ask<Memory>('memory'),
    );
  } finally {
    if (process_.connected) process_.send('stop');
    await exited;
  }
}

/** The server's side. */
async function serve(server: Exclude<ServerKind, { readonly kind: 'socket.io' }>): Promise<void> {
  const statements = countStatements();
  const { port, close } = server.kind === 'bare' ? await serveEcho() : await servePlatform(server.place);
  process.send?.({ port });
  for (;;) {
    const [message] = await once(process, 'message');
    if (message === 'stop') break;
    if (message === 'memory') {
      process.send?.(readMemory());
      continue;
    }
    const { user, system } = process.cpuUsage();
    process.send?.({ processorMs: (user + system) / 1_000, statements: statements() } satisfies Usage);
  }
  await close();
  process.disconnect();
}

function readMemory(): Memory {
  // What the first one makes unreachable by finalizers is collected by the second.
  for (let times = 0; times < 2; times += 1) globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { residentBytes: rss, heapBytes: heapUsed };
}

/** Counts the statements sent to PostgreSQL from now on, beginnings and ends of transactions included. */
function countStatements(): () => number {
  let count = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    count += 1;
    return Reflect.apply(query, this, args);
  } as typeof query;
  return () => count;
}

async function serveEcho(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (ws) => {
    ws.on('error', () => {});
    ws.on('message', (data, isBinary) => ws.send(data, { binary: isBinary }));
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    async close() {
      for (const ws of server.clients) ws.terminate();
      server.close();
    },
  };
}

async function servePlatform(place: object): Promise<{ port: number; close: () => Promise<void> }> {
  // Loaded here: the other servers are measured without it.
  const { createLogger, DEFAULT_CONNECTOR_SETTINGS, startPlatform } = await import('@natter/platform');
  // Answers nothing, so that only the path of the user's messages is measured, unless it is asked for a long answer.
  const silent: Agent = {
    name: 'Silent',
    avatarUrl: null,
    async *run({ text }) {
      const [, pieces = '0'] = /^stream (\d+)$/.exec(text) ?? [];
      for (let piece = 0; piece < Number(pieces); piece += 1) {
        yield { type: 'text', text: 'The last ferry leaves ' };
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
  };
  const plenty = 1_000_000_000;
  return await startPlatform({
    ...place,
    port: 0,
    logger: createLogger('error'),
    tokenSecret: 'a secret of the measurements, long enough',
    agents: new Map([['silent', silent]]),
    limits: {
      accessTokensPerMinute: plenty,
      sessionsPerMinute: plenty,
      frameBurst: plenty,
      framesPerSecond: plenty,
      heartbeatsPerSecond: plenty,
      agentTurnsAtOnce: plenty,
      maxWaitingTurns: plenty,
      // For thousands of sessions.
      shutdownGraceMs: 10_000,
      shutdownJitterMs: 0,
    },
    accounts: [
      {
        slug: 'bench',
        projects: [
          {
            slug: 'bench',
            agent: 'silent',
            contextKeys: {},
            connectors: [
              {
                name: 'bench',
                token: CONNECTOR_TOKEN,
                hosts: [{ kind: 'domain', value: 'localhost' }],
                environment: 'live',
                settings: DEFAULT_CONNECTOR_SETTINGS,
              },
            ],
          },
        ],
      },
    ],
  });
}
