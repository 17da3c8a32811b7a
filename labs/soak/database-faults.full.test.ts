import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FlakyLink, type LinkTarget, startFlakyLink } from '../../demo/link/flaky-link.ts';
import { type Database, openDatabase } from '../../server-platform/src/db/index.ts';
import { type Lane, startLane } from './lane.ts';
import { SoakConversation, until } from './soak-conversation.ts';

// How many times as fast as the machine's the clients' clock runs. With 1, a minute's outage is one for all.
const SPEED = Number(process.env['SOAK_SPEED'] ?? 10);
const OUTAGE_MS = 60_000;

/** Where a PostgreSQL server is, if there is one that lets us in. */
interface Server {
  readonly target: LinkTarget;
  readonly url: (port: number) => string;
}

const SOCKET = '/var/run/postgresql/.s.PGSQL.5432';

function findServer(): Server | null {
  const given = process.env['DATABASE_URL_TEST'];
  if (given !== undefined && URL.canParse(given)) {
    const { hostname, port } = new URL(given);
    return {
      target: { host: hostname, port: Number(port || '5432') },
      url: (linkPort) => Object.assign(new URL(given), { host: `127.0.0.1:${linkPort}` }).href,
    };
  }
  if (!existsSync(SOCKET)) return null;
  // The link opens the server's own socket, so the server sees this user.
  const user = encodeURIComponent(userInfo().username);
  return { target: { path: SOCKET }, url: (port) => `postgresql://${user}@127.0.0.1:${port}/test` };
}

const schema = `natter_soak_${randomUUID().replaceAll('-', '')}`;
let databaseLink: FlakyLink | null = null;
let lane: Lane | null = null;
let conversation: SoakConversation | null = null;

async function isReachable(server: Server | null): Promise<boolean> {
  if (!server) return false;
  const link = await startFlakyLink(server.target);
  try {
    const database = await openDatabase({ databaseUrl: server.url(link.port) });
    await database.close();
    return true;
  } catch {
    // These tests need a server that accepts their login.
    return false;
  } finally {
    await link.close();
  }
}

const server = findServer();

describe.skipIf(!(await isReachable(server)))('PostgreSQL behind a link that fails', () => {
  beforeAll(async () => {
    if (!server) return;
    databaseLink = await startFlakyLink(server.target);
    lane = await startLane({
      speed: SPEED,
      database: { databaseUrl: server.url(databaseLink.port), schema },
    });
  });

  afterEach(async () => {
    databaseLink?.heal();
    await conversation?.tab.close();
  });

  afterAll(async () => {
    await lane?.close();
    if (!databaseLink || !server) return;
    const database = await openDatabase({ databaseUrl: server.url(databaseLink.port) });
    await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await database.close();
    await databaseLink.close();
  });

  async function converse(): Promise<{ readonly chat: SoakConversation; readonly link: FlakyLink }> {
    if (!lane || !databaseLink) throw new Error('The lane has not been started.');
    const chat = new SoakConversation(lane);
    conversation = chat;
    await chat.greeted();
    return { chat, link: databaseLink };
  }

  it('loses no message and answers all when connections break', async () => {
    const { chat, link } = await converse();
    await chat.send('before');
    link.drop();
    await chat.send('right after');
    await chat.settled();
    for (const text of ['before', 'right after']) {
      await until(
        async () => (await chat.readAgentTexts()).includes(`You said: ${text}.`),
        `"${text}" is answered`,
      );
    }
  });

  it('recovers after PostgreSQL was unreachable for a minute, without loss or duplicates', async () => {
    const { chat, link } = await converse();
    link.setConditions({ isRefusing: true });
    link.drop();
    await chat.send('while it is away');
    await lane?.clock.pause(OUTAGE_MS);
    link.heal();
    // Messages written meanwhile are delivered or shown as failed (DEL-5): one of the invariants checked here.
    await chat.settled();
    expect((await chat.tab.view()).connection).toBe('open');
    await chat.send('now that it is back');
    const evidence = await chat.settled();
    const stored = evidence.logs.flatMap(({ events }) => events.map(({ clientEventId }) => clientEventId));
    expect(stored).toContain(chat.sent.at(-1)?.localId);
  });

  it('ends an interrupted answer with the error text, and the conversation continues', async () => {
    const { chat, link } = await converse();
    await chat.send('a long story');
    await until(async () => (await chat.readAgentTexts()).includes('a long story'), 'the answer has begun');
    link.drop();
    await chat.send('still there?');
    await chat.settled();
    await until(
      async () => (await chat.readAgentTexts()).includes('You said: still there?.'),
      'the next one is answered',
    );
  });

  it('waits for a server that does not respond, and continues when it does', async () => {
    const { chat, link } = await converse();
    link.setConditions({ stalled: 'toClient' });
    await chat.send('slow');
    await lane?.clock.pause(4_000);
    link.heal();
    await chat.settled();
  });

  it('replaces connections that no longer receive, and loses nothing', async () => {
    const { chat, link } = await converse();
    await chat.send('before');
    await chat.settled();
    link.deafen('both');
    await chat.send('into the void');
    // Messages that waited too long are delivered or shown as failed (DEL-5): one of the invariants checked here.
    await chat.settled();
    await chat.send('heard again');
    await until(
      async () => (await chat.readAgentTexts()).includes('You said: heard again.'),
      'the next one is answered',
    );
    await chat.settled();
  });

  it('works over a link with a delay of one second each way', async () => {
    const { chat, link } = await converse();
    link.setConditions({ delayMs: 1_000 });
    await chat.send('far away');
    await lane?.clock.pause(20_000);
    link.heal();
    await chat.settled();
    await until(async () => (await chat.readAgentTexts()).includes('You said: far away.'), 'it is answered');
  });
});

describe.skipIf(!(await isReachable(server)))('a statement over a link that has gone deaf', () => {
  let link: FlakyLink;
  let database: Database;
  const table = `natter_deaf_${randomUUID().replaceAll('-', '')}`;

  beforeAll(async () => {
    if (!server) return;
    link = await startFlakyLink(server.target);
    database = await openDatabase({ databaseUrl: server.url(link.port) });
    await database.query(`CREATE TABLE ${table} (id int PRIMARY KEY, n int)`);
    await database.query(`INSERT INTO ${table} VALUES (1, 0)`);
  });
  afterAll(async () => {
    await database?.query(`DROP TABLE IF EXISTS ${table}`);
    await database?.close();
    await link?.close();
  });

  it('a statement on a deaf connection fails in seconds, and the next one gets a working connection', async () => {
    await database.query('SELECT 1');
    link.deafen('toClient');
    await expect(database.query('SELECT 1')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await database.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
  });

  it('a statement on a deaf connection leaves no lock behind', async () => {
    const lost = database.tx(async (sql) => {
      await sql.query(`UPDATE ${table} SET n = n + 1 WHERE id = 1`);
      link.deafen('both');
      await sql.query('SELECT 1');
    });
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    await database.query(`UPDATE ${table} SET n = n + 10 WHERE id = 1`);
    expect(await database.query(`SELECT n FROM ${table}`)).toEqual([{ n: 10 }]);
  });

  it('a slow statement is waited for', async () => {
    expect(await database.query("SELECT 'done' AS it FROM pg_sleep(7)")).toEqual([{ it: 'done' }]);
  });
});
