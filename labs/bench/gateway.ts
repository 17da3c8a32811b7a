import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, openDatabase } from '../../server-platform/src/db/index.ts';
import { createXmppMessage, findEjabberd, openXmpp, withEjabberd } from './peers/ejabberd.ts';
import { type ServerKind, withServer } from './servers/bench-server.ts';
import {
  createMessage,
  createSocketIoMessage,
  type Echoes,
  measureEchoes,
  openSession,
  openSocket,
  openSocketIo,
  type Sender,
} from './servers/echo-client.ts';

// How many messages per second go through the gateway and come back, against a server that does nothing but send every
// frame back, and one that stores every message as a tutorial does. The same clients, messages and machine for all, by
// turns; every server has a separate process. Arguments: seconds, rounds, and "ejabberd" for that one too, or "alone" for
// none that has to be installed first.
const UNANSWERED = 4;
const SECONDS = Number(process.argv[2] ?? 4);
// In less than a second it is only to be seen that it works.
const SOCKETS = SECONDS < 1 ? 16 : 128;
const ROUNDS = Number(process.argv[3] ?? 3);
const POSTGRES = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';
const EJABBERD = process.argv[4] === 'ejabberd' ? await findEjabberd() : undefined;
const IS_ALONE = process.argv[4] === 'alone';
const PEERS = fileURLToPath(new URL('./peers', import.meta.url));

const BARE = 'bare ws echo';
const found = new Map<string, Echoes[]>();

const server = await openServer();
if (server === null) console.log('postgres not reachable, skipped (set DATABASE_URL_TEST)');
else if (!IS_ALONE) installPeers();
if (EJABBERD === null)
  console.log('ejabberd not found, skipped (on Debian: apt-get install ejabberd erlang-p1-pgsql)');
for (let round = 0; round < ROUNDS; round += 1) {
  await run(BARE, { kind: 'bare' }, async (port) => {
    const sockets = await openAll(() => openSocket(`ws://127.0.0.1:${port}`));
    return sockets.map((ws) => ({ ws, frame: createMessage(), isEcho: () => true }));
  });
  await measureOnPglite();
  if (server !== null) await measureOnServer(server, round);
}
await server?.close();
print();

async function measureOnPglite(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'natter-bench-'));
  try {
    await runGateway('pglite (durable)', { dataDir });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** On a server, in temporary schemas. */
async function measureOnServer(database: Database, round: number): Promise<void> {
  const schema = `bench_${process.pid}_${round}`;
  if (!IS_ALONE) await measureSocketIo(`${schema}_peer`);
  if (typeof EJABBERD === 'string') await withEjabberd(EJABBERD, POSTGRES, measureEjabberd);
  await database.query(`CREATE SCHEMA ${schema}`);
  try {
    const url = new URL(POSTGRES);
    url.searchParams.set('options', `-c search_path=${schema}`);
    await runGateway('postgres', { databaseUrl: url.href });
  } finally {
    await database.query(`DROP SCHEMA ${schema} CASCADE`);
  }
}

async function measureSocketIo(schema: string): Promise<void> {
  await run(
    'socket.io, an INSERT per message (postgres)',
    { kind: 'socket.io', databaseUrl: POSTGRES, schema },
    async (port) => {
      const sockets = await openAll(() => openSocketIo(port));
      return sockets.map((ws) => ({
        ws,
        frame: createSocketIoMessage(),
        isEcho: (text) => text.startsWith('42["chat message"'),
      }));
    },
  );
}

async function measureEjabberd(port: number): Promise<void> {
  const senders = await Promise.all(
    Array.from({ length: SOCKETS }, async (_, index) => ({
      ws: await openXmpp(port, `room-${index}`),
      frame: createXmppMessage(`room-${index}`),
      isEcho: (text: string) => text.includes('<body>'),
    })),
  );
  await measureSenders('ejabberd, a group chat with its archive (postgres)', senders);
}

async function runGateway(name: string, place: object): Promise<void> {
  await withServer({ kind: 'gateway', place }, async (port) => {
    const measure = async (what: string, { frame, isEcho }: Omit<Sender, 'ws'>): Promise<void> => {
      const sockets = await openAll(() => openSession(port));
      await measureSenders(
        `gateway, ${what} (${name})`,
        sockets.map((ws) => ({ ws, frame, isEcho })),
      );
    };
    await measure('nothing stored', {
      frame: () => '{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}',
      isEcho: (text) => text.includes('"EVENT_TYPE_HEARTBEAT"'),
    });
    await measure('stored', {
      frame: createMessage(),
      isEcho: (text) => text.includes('"EVENT_TYPE_USER_MESSAGE"'),
    });
  });
}

async function run(
  what: string,
  kind: ServerKind,
  connect: (port: number) => Promise<readonly Sender[]>,
): Promise<void> {
  await withServer(kind, async (port) => {
    await measureSenders(what, await connect(port));
  });
}

async function measureSenders(what: string, senders: readonly Sender[]): Promise<void> {
  const echoes = await measureEchoes(senders, { seconds: SECONDS, unanswered: UNANSWERED });
  found.set(what, [...(found.get(what) ?? []), echoes]);
  for (const { ws } of senders) ws.terminate();
}

function openAll<T>(open: () => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: SOCKETS }, open));
}

async function openServer(): Promise<Database | null> {
  try {
    return await openDatabase({ databaseUrl: POSTGRES });
  } catch {
    return null;
  }
}

function installPeers(): void {
  if (existsSync(join(PEERS, 'node_modules'))) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: PEERS, stdio: 'inherit' });
  if (status !== 0) throw new Error('The servers to compare with could not be installed.');
}

/** Medians of the rounds. */
function print(): void {
  const medianOf = (rounds: readonly Echoes[], key: keyof Echoes): number => {
    const sorted = rounds.map((each) => each[key]).toSorted((a, b) => a - b);
    const at = (place: number): number => sorted[Math.floor(place)] ?? Number.NaN;
    // Of two rounds the mean: the upper one would be the faster by its rate and the slower by its times.
    return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
  };
  const bare = medianOf(found.get(BARE) ?? [], 'perSecond');
  for (const [what, rounds] of found) {
    const perSecond = medianOf(rounds, 'perSecond');
    const rate = Math.round(perSecond).toLocaleString('en');
    const ratio = (perSecond / bare).toFixed(3);
    const times = `${medianOf(rounds, 'medianMs').toFixed(1)} / ${medianOf(rounds, 'p99Ms').toFixed(1)} ms`;
    console.log(
      `${what.padEnd(52)}${rate.padStart(8)} messages/s  ${ratio} of the bare echo  50/99 %: ${times}`,
    );
  }
}
