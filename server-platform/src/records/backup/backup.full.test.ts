import { copyFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { addTestSession } from '../../../test/db/fixtures.ts';
import { createCrashOptions } from '../../../test/realtime/crash-options.ts';
import { isEndOfMessage } from '../../../test/realtime/test-platform.ts';
import { openTestSocket } from '../../../test/realtime/test-socket.ts';
import { type ErasureStage, STAGE_PLACES, startStage } from '../../../test/records/erasure/erasure-stage.ts';
import type { AgentAction, AgentTurn } from '../../agents/index.ts';
import { type Platform, startPlatform } from '../../app/start-platform.ts';
import { createSessionIdOfDay, dayOf } from '../../db/ids/index.ts';
import { type Database, migrate, openDatabase } from '../../db/index.ts';
import { readMigrations } from '../../db/migrate.ts';
import { addEventPartitions, listEventPartitions } from '../../realtime/event-log/index.ts';
import { readBackup, writeBackup } from './backup-file.ts';
import { copyRows } from './copy-rows.ts';
import { type BackupPart, dumpRows } from './dump-rows.ts';
import { restoreRows } from './restore-rows.ts';

async function* script(turn: AgentTurn): AsyncGenerator<AgentAction> {
  yield { type: 'text', text: turn.kind === 'greeting' ? 'Hello!' : `You said: ${turn.text}` };
}

const [embedded, ...servers] = STAGE_PLACES;
if (embedded === undefined) throw new Error('There is always the embedded database.');

/** A session with a separate partition for its events. */
async function addSessionOfDay(database: Database): Promise<void> {
  const [connector] = await database.query<{ id: string }>('SELECT id FROM connectors LIMIT 1');
  const day = dayOf(Date.now());
  await addEventPartitions(database, [day]);
  await addTestSession(database, connector?.id ?? '', createSessionIdOfDay(day));
}

/** Pairs of engines, if a server is available. */
const WAYS = [
  { from: embedded, to: servers[0] ?? embedded },
  ...servers.map((server) => ({ from: server, to: embedded })),
];

it('refuses a backup of another release, and writes nothing of it', async () => {
  const database = await openDatabase({ dataDir: 'memory' });
  await migrate(database);
  const parts: BackupPart[] = [];
  await dumpRows(database, async (part) => void parts.push(part));
  await migrate(database, {
    migrations: [
      ...(await readMigrations()),
      ...(await readMigrations(new URL('../../../test/db/next-release/', import.meta.url))),
    ],
  });
  async function* read() {
    yield* parts;
  }
  await expect(restoreRows(database, read())).rejects.toThrow('another release made it');
  await database.close();
});

describe.each(WAYS)('a backup of $from.name, restored into $to.name', ({ from, to }) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const say = async (stage: ErasureStage) => {
    const session = await stage.startSession();
    const socket = await stage.connect(stage.first, session);
    socket.send('REQUEST_AGENT_JOIN', {});
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: 'before the backup: 🐦' });
    const { sequence } = await socket.next(isEndOfMessage);
    return { ...session, cursor: Number(sequence) };
  };

  it('restores a backup completely, and lets a client continue from its cursor', async () => {
    const stage = await startStage(from, script);
    closing.push(
      () => stage.data.remove(),
      () => stage.stop(),
    );
    const { sessionId, accessToken, cursor } = await say(stage);
    await stage.stop();
    const source = await stage.data.openDatabase();
    await addSessionOfDay(source);
    const file = join(stage.data.folder, 'natter.backup');
    const rows = await writeBackup(file, (write) => dumpRows(source, write));
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const data = await to.open();
    closing.push(() => data.remove());
    const target = await data.openDatabase();
    await migrate(target);
    const broken = join(stage.data.folder, 'broken.backup');
    await copyFile(file, broken);
    await truncate(broken, (await stat(file)).size - 20);
    await expect(restoreRows(target, readBackup(broken))).rejects.toMatchObject({ code: 'invalid' });
    // The incomplete backup wrote nothing.
    const isDirect = target.engine === 'postgres';
    const copied = isDirect ? copyRows(source, target) : restoreRows(target, readBackup(file));
    expect(await copied).toEqual(isDirect ? { rows, rowsBefore: 0 } : rows);
    await expect(copyRows(source, target)).rejects.toThrow('already contains data');
    const tables = ['events', 'sessions', 'conversation_turns', 'connectors', 'api_keys'];
    expect(await listEventPartitions(target)).toEqual(await listEventPartitions(source));
    for (const table of tables) {
      const read = `SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS sum FROM (SELECT * FROM ${table}) t`;
      expect(await target.query(read), table).toEqual(await source.query(read));
    }
    await source.close();
    await target.close();

    const options = createCrashOptions({ dataDir: data.folder }, script);
    const platform: Platform = await startPlatform({ ...options, ...data.options });
    closing.push(() => platform.close());
    const socket = await openTestSocket(
      `ws://127.0.0.1:${platform.port}/ws?session_id=${sessionId}&access_token=${accessToken}&cursor=${cursor}`,
    );
    socket.send('USER_MESSAGE', { text: 'after it' });
    const end = await socket.next(isEndOfMessage);
    expect(end.sequence).toBeGreaterThan(cursor);
    expect(socket.frames.every(({ sequence }) => sequence === null || Number(sequence) > cursor)).toBe(true);
  });
});
