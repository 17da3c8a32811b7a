import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { POSTGRES_ENGINE } from '../../../test/db/postgres-engine.ts';
import {
  BROKEN_OFF,
  CRASH_CONNECTOR_TOKEN,
  CRASH_EVENT_ID,
  CRASH_EVENTS_KEY,
  type CrashPlace,
  createCrashOptions,
} from '../../../test/realtime/crash-options.ts';
import { echoScript } from '../../../test/realtime/scripted-agent.ts';
import { isEndOfMessage, type TestSession } from '../../../test/realtime/test-platform.ts';
import { type Frame, openTestSocket, type TestSocket, typesOf } from '../../../test/realtime/test-socket.ts';
import { type Platform, startPlatform } from '../../app/start-platform.ts';
import { type Database, openDatabase } from '../../db/index.ts';

const CHILD = fileURLToPath(new URL('../../../test/realtime/crash-child.ts', import.meta.url));

interface KeptPlace {
  readonly place: CrashPlace;
  /** Opens the database after the platform on it was closed. */
  openAfter(platform: Platform): Promise<Database>;
  /** Expires the lease of an owner that is gone. */
  letLeasesRunOut(): Promise<void>;
  remove(): Promise<void>;
}

async function createPlace(
  engine: 'pglite' | 'postgres',
  databaseUrl: string | undefined,
): Promise<KeptPlace> {
  if (engine === 'pglite' || databaseUrl === undefined) {
    const dataDir = await mkdtemp(join(tmpdir(), 'natter-crash-'));
    return {
      place: { dataDir },
      openAfter: async (platform) => {
        await platform.close();
        return await openDatabase({ dataDir });
      },
      letLeasesRunOut: async () => {},
      remove: () => rm(dataDir, { recursive: true, force: true }),
    };
  }
  const schema = `natter_crash_${randomUUID().replaceAll('-', '')}`;
  const run = async (statement: string): Promise<void> => {
    const database = await openDatabase({ databaseUrl });
    await database.query(statement);
    await database.close();
  };
  await run(`CREATE SCHEMA ${schema}`);
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return {
    place: { databaseUrl: url.href },
    openAfter: async (platform) => {
      await platform.close();
      return await openDatabase({ databaseUrl: url.href });
    },
    letLeasesRunOut: () => run(`UPDATE ${schema}.node_leases SET expires_at = 0`),
    remove: () => run(`DROP SCHEMA ${schema} CASCADE`),
  };
}

/** Starts a platform in a separate process. */
async function startChild(
  place: CrashPlace,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = fork(CHILD, [JSON.stringify(place)], {
    execArgv: ['--conditions=@natter/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return { child, port: message.port };
}

async function startSession(port: number): Promise<TestSession> {
  const url = `http://127.0.0.1:${port}/api/v1`;
  const post = async (path: string, headers: Record<string, string>): Promise<Record<string, string>> =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body: '{"streaming_enabled":true}' })).json();
  const minted = await post('/access-token', { 'X-Token': CRASH_CONNECTOR_TOKEN, 'X-Host': 'localhost' });
  const accessToken = String(minted['access_token']);
  const started = await post('/sessions', { Authorization: `Bearer ${accessToken}` });
  return { sessionId: String(started['session_id']), accessToken };
}

function connect(port: number, session: TestSession, cursor = '0'): Promise<TestSocket> {
  const { sessionId, accessToken } = session;
  return openTestSocket(
    `ws://127.0.0.1:${port}/ws?session_id=${sessionId}&access_token=${accessToken}&cursor=${cursor}`,
  );
}

/** Posts the payment that the agent waits for. Resolves with the response status. */
async function pay(port: number): Promise<number> {
  const query = new URLSearchParams({
    event_id_location: 'querystring',
    event_id_path: 'id',
    account_id: 'crash',
    project_id: 'crash',
    id: CRASH_EVENT_ID,
  });
  const url = `http://127.0.0.1:${port}/v1/external-events/webhook?${query}`;
  return (await fetch(url, { method: 'POST', headers: { 'X-Api-Key': CRASH_EVENTS_KEY } })).status;
}

const highest = (frames: readonly Frame[]): number =>
  Math.max(...frames.map(({ sequence }) => sequence ?? 0));

const ENGINES = [EMBEDDED_ENGINE, POSTGRES_ENGINE].filter(({ skipped }) => skipped === null);

describe.each(ENGINES)('after kill -9 on $name', ({ name, databaseUrl }) => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  /** Runs a child process until it has handled `text`, kills it, and starts a platform on its data. */
  async function crashAt(
    text: string,
    isThere: (socket: TestSocket) => Promise<unknown>,
  ): Promise<{ before: TestSocket; session: TestSession; platform: Platform; kept: KeptPlace }> {
    const kept = await createPlace(name, databaseUrl);
    cleanups.push(kept.remove);
    const { child, port } = await startChild(kept.place);
    const session = await startSession(port);
    const before = await connect(port, session);
    before.send('REQUEST_AGENT_JOIN');
    await before.next(isEndOfMessage);
    before.send('USER_MESSAGE', { text }, { local_id: 'draft-1' });
    await isThere(before);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await before.closed).code).toBe(1006);
    await kept.letLeasesRunOut();
    const platform = await startPlatform(createCrashOptions(kept.place, echoScript));
    cleanups.push(() => platform.close());
    return { before, session, platform, kept };
  }

  it('notifies the agent of an external event from before the crash, and accepts more after it (EE-3, EE-6)', async () => {
    const { session, platform } = await crashAt('wait', async (socket) => {
      await socket.next(isEndOfMessage);
      expect(await pay(Number(new URL(socket.ws.url).port))).toBe(201);
      // The agent is notified but sends nothing before the end.
      await socket.next('AGENT_THINKING');
    });
    const after = await connect(platform.port, session);
    const answer = await after.next((frame) => frame.payload['text'] === 'You said: ');
    expect(answer.type).toBe('EVENT_TYPE_AGENT_MESSAGE_CHUNK');
    expect(await pay(platform.port)).toBe(201);
  });

  it('ends an interrupted answer with the error text after a crash, and continues the conversation', async () => {
    const { before, session, platform, kept } = await crashAt('break off', (socket) =>
      socket.next('AGENT_MESSAGE_CHUNK'),
    );
    const seen = highest(before.events);
    const after = await connect(platform.port, session, String(seen));
    const notice = await after.next('SYSTEM_MESSAGE');
    expect(notice.payload).toEqual({
      level: 'SYSTEM_MESSAGE_LEVEL_ERROR',
      message: 'Sorry, I encountered an error. Please try again.',
    });
    expect(notice.sequence).toBe(seen + 1);
    // The client resends unconfirmed messages: the original echo is repeated, and no question is answered twice.
    after.send('USER_MESSAGE', { text: 'break off' }, { local_id: 'draft-1' });
    const echo = await after.next('USER_MESSAGE');
    expect(echo).toEqual(before.events.find(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE'));
    after.send('USER_MESSAGE', { text: 'still there?' });
    expect((await after.next(isEndOfMessage)).payload['text']).toBe('You said: still there?');
    const all = await connect(platform.port, session);
    await all.next((frame) => frame.payload['text'] === 'You said: still there?');
    expect(typesOf(all.events)).toEqual(BROKEN_OFF);
    expect(all.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const database = await kept.openAfter(platform);
    const turns = await database.query(
      'SELECT ordinal, kind, user_input, agent_response, failure FROM conversation_turns ORDER BY ordinal',
    );
    await database.close();
    expect(turns).toEqual([
      { ordinal: 1, kind: 'greeting', user_input: '', agent_response: 'Hello!', failure: null },
      {
        ordinal: 2,
        kind: 'message',
        user_input: 'break off',
        agent_response: 'Let me tell you ',
        failure: 'interrupted',
      },
      {
        ordinal: 3,
        kind: 'message',
        user_input: 'still there?',
        agent_response: 'You said: still there?',
        failure: null,
      },
    ]);
  });

  it('answers an unanswered message after a crash without a client', async () => {
    const { before, session, platform } = await crashAt('say nothing', async (socket) => {
      await socket.next('USER_MESSAGE');
      await socket.next('AGENT_THINKING');
    });
    const after = await connect(platform.port, session, String(highest(before.events)));
    expect((await after.next(isEndOfMessage)).payload['text']).toBe('You said: say nothing');
    const all = await connect(platform.port, session);
    await all.next((frame) => frame.payload['text'] === 'You said: say nothing');
    expect(typesOf(all.events).slice(4)).toEqual(['USER_MESSAGE', 'AGENT_MESSAGE_CHUNK']);
  });
});
