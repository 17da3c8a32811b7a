import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { addTestConnector, addTestSession } from '../../../test/db/fixtures.ts';
import { createCrashOptions } from '../../../test/realtime/crash-options.ts';
import { isEndOfMessage } from '../../../test/realtime/test-platform.ts';
import { openTestSocket } from '../../../test/realtime/test-socket.ts';
import { type ErasureStage, STAGE_PLACES, startStage } from '../../../test/records/erasure/erasure-stage.ts';
import { type PlatformRun, runPlatform } from '../../../test/run-platform.ts';
import type { AgentAction, AgentTurn } from '../../agents/index.ts';
import { startPlatform } from '../../app/start-platform.ts';
import { createSessionIdOfDay } from '../../db/ids/index.ts';
import { type Database, migrate } from '../../db/index.ts';
import { addEventPartitions } from '../../realtime/event-log/index.ts';

type StageData = ErasureStage['data'];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

// Used by several processes, one after the other.
const SECRET = 'a secret of the tests of backups, long enough';

/** Runs an operator's command in a separate process. */
function type({ options }: StageData, ...words: readonly string[]): PlatformRun {
  const { dataDir, databaseUrl } = options;
  const server = databaseUrl && { DATABASE_URL: databaseUrl, NATTER_TOKEN_SECRET: SECRET };
  return runPlatform(words, { NATTER_DATA_DIR: dataDir, ...server });
}

async function expectDone(run: PlatformRun): Promise<string> {
  expect(await run.ended, run.err()).toBe(0);
  return run.out();
}

async function open(place: (typeof STAGE_PLACES)[number]): Promise<StageData> {
  const data = await place.open();
  closing.push(() => data.remove());
  return data;
}

const sumOf = async (database: Database, table: string): Promise<unknown> =>
  await database.query(
    `SELECT count(*) AS rows, md5(string_agg(t::text, '|' ORDER BY t::text)) AS sum FROM (SELECT * FROM ${table}) t`,
  );

async function* script(turn: AgentTurn): AsyncGenerator<AgentAction> {
  yield { type: 'text', text: turn.kind === 'greeting' ? 'Hello!' : `You said: ${turn.text}` };
}

/** A visitor who sends messages one after another until stopped. */
async function startTalker(stage: ErasureStage) {
  const session = await stage.startSession();
  const socket = await stage.connect(stage.first, session);
  socket.send('REQUEST_AGENT_JOIN', {});
  const { sequence } = await socket.next(isEndOfMessage);
  let isStopped = false;
  const talking = (async () => {
    for (let count = 1; !isStopped; count += 1) {
      socket.send('USER_MESSAGE', { text: `message ${count}` });
      await socket.next(isEndOfMessage);
      // A socket may send five frames per second.
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    await socket.close();
  })();
  const stop = async (): Promise<number> => {
    isStopped = true;
    await talking;
    return socket.events.length;
  };
  return { ...session, cursor: Number(sequence), socket, stop };
}

describe.each(STAGE_PLACES)('backup and restore as they are typed, on $name', (place) => {
  it('backs up and restores a platform in use, and lets its clients continue from their cursors', async () => {
    const stage = await startStage({ ...place, nodes: 1 }, script);
    closing.push(
      () => stage.data.remove(),
      () => stage.stop(),
    );
    const talkers = await Promise.all(Array.from({ length: 4 }, () => startTalker(stage)));
    const file = join(stage.data.folder, 'natter.backup');
    const countBefore = talkers.map(({ socket }) => socket.events.length);
    expect(await expectDone(type(stage.data, 'backup', file))).toMatch(/^Wrote \d+ rows/);
    const transcripts = await Promise.all(talkers.map(({ stop }) => stop()));
    // Conversations continued during the copy.
    for (const [index, count] of transcripts.entries())
      expect(count).toBeGreaterThan(countBefore[index] ?? 0);

    const target = await open(place);
    expect(await expectDone(type(target, 'restore', file))).toMatch(/^Restored \d+ rows/);
    expect(await expectDone(type(target, 'db', 'migrate'))).toBe('The tables are up to date.\n');
    const database = await target.openDatabase();
    const logs = await database.query<{ is_whole: boolean }>(
      `SELECT s.last_sequence = max(e.sequence) AND s.last_sequence = count(*) AS is_whole
         FROM sessions s JOIN events e ON e.session_id = s.id GROUP BY s.id`,
    );
    expect(logs).toEqual(talkers.map(() => ({ is_whole: true })));
    await database.close();

    const options = createCrashOptions({ dataDir: target.folder }, script);
    const platform = await startPlatform({ ...options, ...target.options });
    closing.push(() => platform.close());
    for (const { sessionId, accessToken, cursor } of talkers) {
      const query = `session_id=${sessionId}&access_token=${accessToken}&cursor=${cursor}`;
      const socket = await openTestSocket(`ws://127.0.0.1:${platform.port}/ws?${query}`);
      socket.send('USER_MESSAGE', { text: 'after the restore' });
      const isAnswer = ({ payload }: { readonly payload: Readonly<Record<string, unknown>> }): boolean =>
        JSON.stringify(payload).includes('You said: after the restore');
      await socket.next(isAnswer);
      // Each connection starts with SESSION_START.
      const [start, ...events] = socket.events;
      expect(start?.type).toBe('EVENT_TYPE_SESSION_START');
      const sequences = events.map(({ sequence }) => sequence).filter((each) => each !== null);
      expect(sequences).toEqual(sequences.map((_, index) => cursor + 1 + index));
      await socket.close();
    }
  });
});

const [embedded, server] = STAGE_PLACES;

describe.skipIf(server === undefined)('migrate-to as it is typed', () => {
  const LOCK = 17_004;
  const EVENTS = 1_500;

  /** An embedded database with a session of many events. */
  async function fill(data: StageData): Promise<void> {
    const source = await data.openDatabase();
    await migrate(source);
    const session = await addTestSession(source, await addTestConnector(source));
    await source.query(
      `INSERT INTO events (session_id, sequence, id, type, payload, bytes, created_at)
       SELECT $1, n, gen_random_uuid(), 'EVENT_TYPE_AGENT_MESSAGE_CHUNK', json_build_object('text', n), 10, n
         FROM generate_series(2, ${EVENTS}) n`,
      [session],
    );
    await source.close();
  }

  it('migrate-to resumes after a kill, and no platform serves before it is done', async () => {
    if (embedded === undefined || server === undefined) return;
    const from = await open(embedded);
    const to = await open(server);
    await fill(from);
    const target = await to.openDatabase();
    closing.push(() => target.close());
    await migrate(target);
    // The row in the middle of the table waits for a lock.
    await target.query(
      `CREATE FUNCTION hold() RETURNS trigger AS 'BEGIN PERFORM pg_advisory_xact_lock(${LOCK}); RETURN NEW; END' LANGUAGE plpgsql`,
    );
    await target.query(
      'CREATE TRIGGER hold BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.sequence = 900) EXECUTE FUNCTION hold()',
    );
    const url = join(from.folder, 'url');
    writeFileSync(url, `${to.options.databaseUrl}\n`);
    const copy = (): PlatformRun => type(from, 'migrate-to', '--url-file', url, '--json');

    await target.tx(async (sql) => {
      await sql.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
      const killed = copy();
      await expect
        .poll(async () => await sql.query(`SELECT 1 FROM pg_locks WHERE objid = ${LOCK} AND NOT granted`))
        .toHaveLength(1);
      killed.kill();
      expect(await killed.ended).toBeNull();
    });
    await target.query('DROP TRIGGER hold ON events');

    const early = type(to, 'serve', '--port', '0');
    expect(await early.ended).toBe(1);
    expect(early.err()).toContain('is not finished');
    const { rows, rows_before: before } = JSON.parse(await expectDone(copy()));
    expect(before).toBeGreaterThan(200);
    expect(rows).toBeGreaterThan(before);
    const source = await from.openDatabase();
    for (const table of ['accounts', 'connectors', 'sessions', 'events'])
      expect(await sumOf(target, table), table).toEqual(await sumOf(source, table));
    await source.close();

    // Completed steps are not repeated, and a platform can start.
    const again = copy();
    expect(await again.ended).toBe(1);
    expect(again.err()).toContain('already contains data');
    const serving = type(to, 'serve', '--port', '0');
    closing.push(() => serving.stop());
    await serving.serving;
  });

  it('migrate-to starts over when the embedded database has changed since, and warns of a password', async () => {
    if (embedded === undefined || server === undefined) return;
    const from = await open(embedded);
    const to = await open(server);
    await fill(from);
    const target = await to.openDatabase();
    closing.push(() => target.close());
    await migrate(target);
    await target.query(
      "INSERT INTO accounts (id, slug, name, created_at) VALUES ('left', 'left', 'Left', 0)",
    );
    // A day that the embedded database has not.
    await addEventPartitions(target, [0]);
    await target.query(
      `INSERT INTO events (session_id, sequence, id, type, payload, bytes, created_at)
       VALUES ($1, 1, gen_random_uuid(), 'EVENT_TYPE_USER_MESSAGE', '{}', 2, 0)`,
      [createSessionIdOfDay(0)],
    );
    await target.query(
      'CREATE TABLE unfinished_copy (source text, table_name text, position text, rows bigint)',
    );
    await target.query("INSERT INTO unfinished_copy VALUES ('something else', 'events', '(3,1)', 700)");
    const url = new URL(to.options.databaseUrl ?? '');
    url.password = 'not-asked-for';
    const run = type(from, 'migrate-to', url.href);
    expect(await expectDone(run)).toMatch(/^Copied \d+ rows\. Start the platform/);
    expect(run.err()).toContain('The password is on the command line');
    const source = await from.openDatabase();
    for (const table of ['accounts', 'events'])
      expect(await sumOf(target, table), table).toEqual(await sumOf(source, table));
    await source.close();
  });
});
