import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Agent, createLogger, DEFAULT_CONNECTOR_SETTINGS, startPlatform } from '@natter/platform';
import { WebSocket, WebSocketServer } from 'ws';
import { type Database, openDatabase } from '../server-platform/src/db/index.ts';

// How many messages per second go through the gateway and come back, against a server that does nothing but send every
// frame back. The same clients, frames and machine for both; the server has a process of its own.
const SOCKETS = 128;
const UNANSWERED_PER_SOCKET = 4;
const SECONDS = Number(process.argv[2] ?? 4);
const WARM_UP_SECONDS = 1;
const CONNECTOR_TOKEN = 'a-connector-token-for-the-bench';
const POSTGRES = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';
// As long as a visitor's question.
const TEXT = 'When does the last ferry of the evening leave for Farholm, and may I bring my dog?';

type ServerKind = { readonly kind: 'bare' } | { readonly kind: 'gateway'; readonly place: object };
type Sender = {
  readonly ws: WebSocket;
  readonly frame: () => string;
  readonly isEcho: (text: string) => boolean;
};

const child = process.env['NATTER_BENCH_SERVER'];
if (child === undefined) await measureAll();
else await serve(JSON.parse(child));

async function measureAll(): Promise<void> {
  const bare = await withServer({ kind: 'bare' }, async (port) => {
    const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => open(`ws://127.0.0.1:${port}`)));
    return await measure(sockets.map((ws) => ({ ws, frame: createMessage(), isEcho: () => true })));
  });
  print('bare ws echo', bare, bare);

  const dataDir = await mkdtemp(join(tmpdir(), 'natter-bench-'));
  try {
    await measureGateway('pglite (durable)', { dataDir }, bare);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  await measureOnServer(bare);
}

async function measureGateway(name: string, place: object, bare: number): Promise<void> {
  await withServer({ kind: 'gateway', place }, async (port) => {
    const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => openSession(port)));
    const beats = await measure(
      sockets.map((ws) => ({
        ws,
        frame: () => '{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}',
        isEcho: (text) => text.includes('"EVENT_TYPE_HEARTBEAT"'),
      })),
    );
    print(`gateway, nothing stored (${name})`, beats, bare);
    const messages = await measure(
      sockets.map((ws) => ({
        ws,
        frame: createMessage(),
        isEcho: (text) => text.includes('"EVENT_TYPE_USER_MESSAGE"'),
      })),
    );
    print(`gateway, stored (${name})`, messages, bare);
    for (const ws of sockets) ws.terminate();
  });
}

/** Echoes per second, every socket keeping the same number of frames unanswered. */
async function measure(senders: readonly Sender[]): Promise<number> {
  let echoes = 0;
  let isRunning = true;
  for (const { ws, frame, isEcho } of senders) {
    ws.removeAllListeners('message');
    ws.on('message', (data) => {
      if (!isEcho(String(data))) return;
      echoes += 1;
      if (isRunning) ws.send(frame());
    });
    for (let index = 0; index < UNANSWERED_PER_SOCKET; index += 1) ws.send(frame());
  }
  await passed(WARM_UP_SECONDS);
  const before = echoes;
  const startedAt = performance.now();
  await passed(SECONDS);
  const perSecond = (echoes - before) / ((performance.now() - startedAt) / 1_000);
  isRunning = false;
  await passed(WARM_UP_SECONDS);
  return perSecond;
}

function print(what: string, perSecond: number, bare: number): void {
  const rate = Math.round(perSecond).toLocaleString('en');
  console.log(
    `${what.padEnd(44)}${rate.padStart(8)} messages/s  ${(perSecond / bare).toFixed(3)} of the bare echo`,
  );
}

function createMessage(): () => string {
  let count = 0;
  return () => {
    count += 1;
    const id = `draft-${process.pid}-${count}-${Math.random()}`;
    return JSON.stringify({
      type: 'EVENT_TYPE_USER_MESSAGE',
      payload: { text: TEXT },
      metadata: { custom: { client_event_id: id, local_id: id } },
    });
  };
}

async function openSession(port: number): Promise<WebSocket> {
  const url = `http://127.0.0.1:${port}/api/v1`;
  const post = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body: '{"streaming_enabled":true}' })).json();
  const minted = await post('/access-token', { 'X-Token': CONNECTOR_TOKEN, 'X-Host': 'localhost' });
  const token = String(minted['access_token']);
  const started = await post('/sessions', { Authorization: `Bearer ${token}` });
  const ws = await open(
    `ws://127.0.0.1:${port}/ws?session_id=${String(started['session_id'])}&access_token=${token}`,
  );
  const hasJoined = new Promise<void>((resolve) => {
    ws.on('message', (data) => {
      if (String(data).includes('EVENT_TYPE_AGENT_THINKING')) resolve();
    });
  });
  ws.send('{"type":"EVENT_TYPE_REQUEST_AGENT_JOIN","payload":{}}');
  await hasJoined;
  return ws;
}

async function open(url: string): Promise<WebSocket> {
  const ws = new WebSocket(url, { perMessageDeflate: false });
  await once(ws, 'open');
  return ws;
}

async function withServer<T>(server: ServerKind, use: (port: number) => Promise<T>): Promise<T> {
  const process_: ChildProcess = fork(fileURLToPath(import.meta.url), {
    execArgv: ['--conditions=@natter/source'],
    env: { ...process.env, NATTER_BENCH_SERVER: JSON.stringify(server) },
  });
  const [message] = (await once(process_, 'message')) as [{ readonly port: number }];
  try {
    return await use(message.port);
  } finally {
    const exited = once(process_, 'exit');
    process_.send('stop');
    await exited;
  }
}

/** The server's side, in a process of its own. */
async function serve(server: ServerKind): Promise<void> {
  const { port, close } = server.kind === 'bare' ? await serveEcho() : await servePlatform(server.place);
  process.send?.({ port });
  await once(process, 'message');
  await close();
  process.disconnect();
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
  // Says nothing, so that what is measured is the way of the user's messages.
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

/** On a server, in a schema of its own that is removed afterwards. */
async function measureOnServer(bare: number): Promise<void> {
  const schema = `bench_${process.pid}`;
  let database: Database;
  try {
    database = await openDatabase({ databaseUrl: POSTGRES });
  } catch {
    console.log('postgres not reachable, skipped (set DATABASE_URL_TEST)');
    return;
  }
  try {
    await database.query(`CREATE SCHEMA ${schema}`);
    const url = new URL(POSTGRES);
    url.searchParams.set('options', `-c search_path=${schema}`);
    await measureGateway('postgres', { databaseUrl: url.href }, bare);
  } finally {
    await database.query(`DROP SCHEMA ${schema} CASCADE`);
    await database.close();
  }
}

function passed(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
