import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addOwnedSession,
  addTestConnector,
  CONVERSATION_START,
  testEvent,
  testMessage,
} from '../../../test/db/fixtures.ts';
import { REACHABLE_POSTGRES_URL } from '../../../test/db/postgres-server.ts';
import { isDatabaseError } from '../../db/database-error.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import type { Database } from '../../db/sql.ts';
import { releaseSessions } from '../ownership/session-ownership.ts';
import type { ConversationChange } from './conversation-change.ts';
import { createEventLog } from './event-log.ts';
import { touchSessions } from './session-table.ts';
import { writeConversations } from './write-conversations.ts';

const SESSIONS = 120;
const ROUNDS = 250;

type Owner = { readonly sessionId: string; readonly epoch: number };

function codeOf(error: unknown): string {
  return isDatabaseError(error) ? (error.sqlState ?? error.code) : String(error);
}

function testConversation(id: string): ConversationChange {
  return {
    id,
    start: { ...CONVERSATION_START, atMs: 1_800_000_000_000 },
  };
}

/** Returns a random subset in random order. */
function shuffle<T>(all: readonly T[]): readonly T[] {
  return all
    .map((value) => ({ value, rank: Math.random() }))
    .filter(({ rank }) => rank < 0.8)
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}

describe.skipIf(REACHABLE_POSTGRES_URL === undefined)('statements that lock many rows at once', () => {
  // In a separate database, so that the deadlock counter covers only these tests.
  const name = `natter_deadlocks_${randomUUID().replaceAll('-', '')}`;
  let database: Database;
  const onServer = async (statement: string): Promise<void> => {
    const server = await openDatabase({ databaseUrl: REACHABLE_POSTGRES_URL });
    await server.query(statement);
    await server.close();
  };
  beforeEach(async () => {
    await onServer(`CREATE DATABASE ${name}`);
    const url = new URL(REACHABLE_POSTGRES_URL ?? '');
    url.pathname = `/${name}`;
    database = await openDatabase({ databaseUrl: url.href });
    await migrate(database);
  });
  afterEach(async () => {
    await database.close();
    await onServer(`DROP DATABASE ${name}`);
  });

  /** Fails if a call has failed or the server has counted a deadlock. */
  async function expectNone(failures: readonly string[]): Promise<void> {
    expect(failures).toEqual([]);
    // Connections report their statistics when they close.
    await database.close();
    const server = await openDatabase({ databaseUrl: REACHABLE_POSTGRES_URL });
    const [counted] = await server.query<{ deadlocks: number }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = $1',
      [name],
    );
    await server.close();
    expect(counted).toEqual({ deadlocks: 0 });
  }

  it('never deadlocks, in whatever order conversations are written', async () => {
    const ids = Array.from({ length: SESSIONS }, (_, n) => `CONV-${n}`);
    await writeConversations(database, ids.map(testConversation));
    const failures: string[] = [];
    const node = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const changes = shuffle(ids).map((id) => ({ id, isAgentBack: true }));
        await writeConversations(database, changes).catch((error: unknown) => failures.push(codeOf(error)));
      }
    };
    await Promise.all([node(), node(), node()]);
    await expectNone(failures);
  });

  it('never deadlocks, in whatever order sessions are appended to', async () => {
    const connector = await addTestConnector(database);
    const owners: Owner[] = [];
    for (let count = 0; count < SESSIONS; count += 1) owners.push(await addOwnedSession(database, connector));
    const failures: string[] = [];
    const note = (error: unknown): void => void failures.push(codeOf(error));
    const rounds = async (work: (round: number) => Promise<unknown>): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) await work(round).catch(note);
    };
    // Two logs, as on two nodes, that commit concurrently: one after a takeover that it has not noticed. Each has two
    // groups in flight.
    const logs = [createEventLog(database, { writers: 2 }), createEventLog(database, { writers: 2 })];
    await Promise.all([
      ...logs.map((log) =>
        rounds(async (round) => {
          await Promise.all(
            shuffle(owners).map((owner, index) =>
              // Groups of chunks only and groups with a message use different statements.
              log.append({
                ...owner,
                events: [round % 2 === 0 && index === 0 ? testMessage(randomUUID()) : testEvent()],
              }),
            ),
          );
        }),
      ),
      rounds((round) =>
        touchSessions(
          database,
          new Map(shuffle(owners).map(({ sessionId }) => [sessionId, 1_800_000_000_000 + round])),
        ),
      ),
      rounds(() =>
        releaseSessions(
          database,
          'node-a',
          new Map(shuffle(owners).map(({ sessionId, epoch }) => [sessionId, epoch])),
        ),
      ),
    ]);
    await expectNone(failures);
  });
});
