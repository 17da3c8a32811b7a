import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Agent, createLogger, DEFAULT_CONNECTOR_SETTINGS, startPlatform } from '@natter/platform';
import pg from 'pg';
import { WebSocketServer } from 'ws';

export const CONNECTOR_TOKEN = 'a-connector-token-for-the-bench';

/** A server to measure, in a process of its own. */
export type ServerKind =
  | { readonly kind: 'bare' }
  | { readonly kind: 'gateway'; readonly place: object }
  | { readonly kind: 'socket.io'; readonly databaseUrl: string; readonly schema: string };

/** What a platform's process has used since its start. */
export type Usage = { readonly processorMs: number; readonly statements: number };

const PEER = fileURLToPath(new URL('./peers/socket-io-server.js', import.meta.url));

const child = process.env['NATTER_BENCH_SERVER'];
if (child !== undefined) await serve(JSON.parse(child));

/** Runs `use` beside the server. */
export async function withServer<T>(
  server: ServerKind,
  use: (port: number, usage: () => Promise<Usage>) => Promise<T>,
): Promise<T> {
  const process_: ChildProcess =
    server.kind === 'socket.io'
      ? fork(PEER, { env: { ...process.env, DATABASE_URL: server.databaseUrl, SCHEMA: server.schema } })
      : fork(fileURLToPath(import.meta.url), {
          execArgv: ['--conditions=@natter/source'],
          env: { ...process.env, NATTER_BENCH_SERVER: JSON.stringify(server) },
        });
  const [message] = (await once(process_, 'message')) as [{ readonly port: number }];
  try {
    return await use(message.port, async () => {
      process_.send('usage');
      const [usage] = (await once(process_, 'message')) as [Usage];
      return usage;
    });
  } finally {
    const exited = once(process_, 'exit');
    process_.send('stop');
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
    const { user, system } = process.cpuUsage();
    process.send?.({ processorMs: (user + system) / 1_000, statements: statements() } satisfies Usage);
  }
  await close();
  process.disconnect();
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
  // Answers nothing, so that only the path of the user's messages is measured.
  const silent: Agent = {
    name: 'Silent',
    avatarUrl: null,
    async *run() {},
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
      maxWaitingTurns: plenty,
      shutdownGraceMs: 0,
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
