import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import {
  type AccessTokens,
  createAccessTokens,
} from '../../server-platform/src/accounts/tokens/access-tokens.ts';
import { type Database, migrate, openDatabase } from '../../server-platform/src/db/index.ts';
import { startPlatformProcess } from './platform/platform-handle.ts';
import { quantile } from './report.ts';
import { CONNECTOR, insertConnector } from './soak-connector.ts';

// What the platform alone can take: plain sockets that come back to sessions which are in its database already, after a
// start, spread evenly over a time. The storm has whole clients and takes minutes to open them.

/** A session as a client that comes back has it. */
interface Pair {
  readonly sessionId: string;
  readonly token: string;
}

const EVENTS_PER_SESSION = 20;
const CURSOR = 15;
const ROWS_AT_ONCE = 500;
// As the client does: an attempt is given up after 15 s, and the next one waits twice as long as the last, up to 30 s.
const OPENING_MS = 15_000;
const LONGEST_PAUSE_MS = 30_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function insertSessions(database: Database, tokens: AccessTokens, count: number): Promise<Pair[]> {
  const pairs: Pair[] = [];
  while (pairs.length < count) {
    const grants = await Promise.all(
      Array.from({ length: Math.min(ROWS_AT_ONCE, count - pairs.length) }, () =>
        tokens.mint({ connectorId: CONNECTOR.id, host: 'example.com' }),
      ),
    );
    const rows = await database.query<{ id: string; identity: string }>(
      `INSERT INTO sessions (id, connector_id, identity, platform, streaming, context_id, created_at, last_activity,
                             state, conversation_status, last_sequence)
       SELECT gen_random_uuid(), $1, identity, 'web', true, gen_random_uuid(), $3, $3, 'active', 'running', $4
         FROM unnest($2::uuid[]) AS t (identity)
       RETURNING id, identity`,
      [CONNECTOR.id, grants.map(({ identity }) => identity), Date.now(), EVENTS_PER_SESSION],
    );
    await database.query(
      `INSERT INTO events (session_id, sequence, id, type, payload, bytes, created_at)
       SELECT s.id, n, gen_random_uuid(),
              CASE WHEN n = 1 THEN 'EVENT_TYPE_SESSION_START' ELSE 'EVENT_TYPE_USER_MESSAGE' END,
              CASE WHEN n = 1 THEN '{}' ELSE json_build_object('text', 'message ' || n, 'message_id', n::text) END, 100, $2
         FROM unnest($1::uuid[]) AS s (id), generate_series(1, $3) AS n`,
      [rows.map(({ id }) => id), Date.now(), EVENTS_PER_SESSION],
    );
    const tokenOf = new Map(grants.map(({ identity, token }) => [identity, token]));
    for (const { id, identity } of rows) pairs.push({ sessionId: id, token: tokenOf.get(identity) ?? '' });
  }
  return pairs;
}

/** Resolves with whether the socket brought its replay. */
function tryOnce({ sessionId, token }: Pair, port: number, open: Set<WebSocket>): Promise<boolean> {
  return new Promise((resolve) => {
    const address = `ws://127.0.0.1:${port}/ws?session_id=${sessionId}&access_token=${token}&cursor=${CURSOR}`;
    const socket = new WebSocket(address, { perMessageDeflate: false, handshakeTimeout: OPENING_MS });
    socket.once('message', () => {
      open.add(socket);
      resolve(true);
    });
    // Refused, or not let in in time: the next try says.
    socket.on('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

async function main(clients: number, spreadMs: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-handshakes-'));
  const dataDir = join(folder, 'data');
  const secret = randomBytes(32);
  const tokens = await createAccessTokens({ secrets: [secret], issuer: 'natter', now: () => Date.now() });
  const database = await openDatabase({ dataDir });
  await migrate(database);
  await insertConnector(database);
  const pairs = await insertSessions(database, tokens, clients);
  await database.close();
  let port = 0;
  const platform = startPlatformProcess({
    settings: {
      database: { dataDir },
      tokenSecret: secret.toString('base64'),
      connectorToken: 'unused',
      limits: {},
      wordPauseMs: 0,
      node: 'handshakes',
      port: 0,
    },
    onReady: (own) => {
      port = own;
    },
  });
  const open = new Set<WebSocket>();
  try {
    await platform.ready();
    const cpuBeforeMs = (await platform.readCpuMs()) ?? 0;
    const startedAt = performance.now();
    const waitedMs: number[] = [];
    let retries = 0;
    let lastMs = 0;
    await Promise.all(
      pairs.map(async (pair, index) => {
        await pause((index * spreadMs) / clients);
        const beganAt = performance.now();
        for (let attempt = 0; !(await tryOnce(pair, port, open)); attempt++) {
          retries += 1;
          await pause(Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** attempt) * (0.8 + 0.4 * Math.random()));
        }
        waitedMs.push(performance.now() - beganAt);
        lastMs = performance.now() - startedAt;
      }),
    );
    const cpuMs = ((await platform.readCpuMs()) ?? 0) - cpuBeforeMs;
    const seconds = (ms: number | null): string => `${((ms ?? 0) / 1_000).toFixed(2)} s`;
    process.stdout.write(
      `${[
        `${clients} clients within ${seconds(spreadMs)}, all back ${seconds(lastMs)} after the start, ${open.size} sockets open`,
        `from the first try to the replay: median ${seconds(quantile(waitedMs, 0.5))}, p99 ${seconds(quantile(waitedMs, 0.99))}; tries that failed: ${retries}`,
        `processor time of the platform per client: ${(cpuMs / clients).toFixed(2)} ms`,
      ].join('\n')}\n`,
    );
    return open.size === clients ? 0 : 1;
  } finally {
    for (const socket of open) socket.terminate();
    await platform.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '10000' },
    'within-ms': { type: 'string', default: '10000' },
  },
});
process.exitCode = await main(Number(values.clients), Number(values['within-ms']));
