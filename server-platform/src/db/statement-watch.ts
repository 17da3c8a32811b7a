import pg from 'pg';
import { toDatabaseError } from './database-error.ts';

// A statement that has been out this long is asked after; hardly any takes a hundredth of it.
const ASK_AFTER_MS = 5_000;
// How long the server may take to say what became of it.
const ANSWER_WITHIN_MS = 10_000;
// An answer that the server has given is on its way for this long at most.
const ARRIVAL_MS = 1_000;
// Behind a connection pooler the server does not know our connection by its number: then only a longer time limit helps.
const UNKNOWN_FOR_MS = 120_000;

type Backend = 'busy' | 'waiting' | 'unknown' | 'unreachable';

/** Runs one statement over a connection of its own; null when the server does not answer. */
async function ask<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
  processId: number,
): Promise<readonly Row[] | null> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    application_name: 'natter-platform-watch',
  });
  // Its failures are an answer here: the server cannot be reached.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text, [processId])).rows;
  } catch (error) {
    // A server that refuses (it has no connection to spare) can be reached, and has not said that anything is wrong.
    return toDatabaseError(error).sqlState === null ? null : [];
  } finally {
    // Not waited for: it may never come to an end either, and is dropped then.
    client.end().catch(() => {});
  }
}

async function lookAt(connectionString: string, processId: number): Promise<Backend> {
  const rows = await ask<{ state: string | null }>(
    connectionString,
    'SELECT state FROM pg_stat_activity WHERE pid = $1',
    processId,
  );
  if (rows === null) return 'unreachable';
  const [row] = rows;
  if (row === undefined) return 'unknown';
  return row.state === 'active' ? 'busy' : 'waiting';
}

/**
 * Ends a connection whose answer will never come: one that a firewall has forgotten, or whose server has moved, stays open
 * and says nothing for a quarter of an hour. The statement then fails like one whose connection broke. Statements that are
 * merely slow are left alone, however long they take. Returns what calls the watch off.
 */
export function watchStatement(client: pg.PoolClient, connectionString: string): () => void {
  let isOver = false;
  let unknownMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const after = (delayMs: number, work: () => Promise<void>): void => {
    timer = setTimeout(() => void work(), delayMs);
    timer.unref();
  };
  // The library gives it and leaves it out of its types.
  const processId = Number(Reflect.get(client, 'processID'));
  const look = async (): Promise<void> => {
    const found = await lookAt(connectionString, processId);
    if (isOver) return;
    unknownMs = found === 'unknown' ? unknownMs + ASK_AFTER_MS : 0;
    const isHopeless = found === 'waiting' || found === 'unreachable' || unknownMs >= UNKNOWN_FOR_MS;
    if (isHopeless) after(ARRIVAL_MS, () => giveUp(found));
    else after(ASK_AFTER_MS, look);
  };
  const giveUp = async (found: Backend): Promise<void> => {
    // A pool's clients are whole clients. With a statement under way the end comes at once, and the statement fails.
    void (client as unknown as pg.Client).end();
    // It waits for us, who have gone: what it has locked must not stay locked until it finds out by itself.
    if (found === 'waiting') await ask(connectionString, 'SELECT pg_terminate_backend($1)', processId);
  };
  after(ASK_AFTER_MS, look);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
