import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { toDatabaseError } from './database-error.ts';

// A statement that has been out this long is asked after; hardly any takes a hundredth of it.
const ASK_AFTER_MS = 5_000;
// How long the server may take to say what became of it.
const ANSWER_WITHIN_MS = 10_000;
// An answer that the server has given is on its way for this long at most.
const ARRIVAL_MS = 1_000;
// Behind a connection pooler the server does not know our connection by its number. Where it does not know its name either,
// because the pooler keeps that to itself, only a longer time limit helps.
const UNKNOWN_FOR_MS = 120_000;
// Looks in a row that find no statement of a connection whose name the server would know.
const ABSENT_LOOKS = 2;

type Backend = 'busy' | 'waiting' | 'absent' | 'unknown' | 'unreachable';

/**
 * A connection with a unique name, by which its statement is found among the server's. Poolers such as
 * PgBouncer pass the name on. An `application_name` in the address takes its place, and the statement is then looked for by number.
 */
export class WatchedClient extends pg.Client {
  readonly watchName: string;
  readonly #address: pg.ClientConfig;

  constructor(config: pg.ClientConfig, address: pg.ClientConfig) {
    const watchName = `natter-platform ${randomUUID().slice(0, 8)}`;
    super({ ...config, application_name: watchName, ...address });
    this.watchName = watchName;
    this.#address = address;
  }

  /** How to reach the same server over another connection. No property of the client, because it has the password. */
  get address(): pg.ClientConfig {
    return this.#address;
  }
}

const WATCH_NAME = 'natter-platform-watch';

// By number and name: the number that a pooler gives may be another connection's on the server.
const FIND_BACKEND = `
SELECT named.is_known, a.state
  FROM (SELECT current_setting('application_name') = '${WATCH_NAME}' AS is_known) named
  LEFT JOIN pg_stat_activity a
    ON CASE WHEN named.is_known THEN a.application_name = $2 AND (a.pid = $1 OR a.state = 'active') ELSE a.pid = $1 END`;

/** Runs one statement over a separate connection; null when the server does not answer. */
async function ask<Row extends pg.QueryResultRow>(
  address: pg.ClientConfig,
  text: string,
  values: readonly (string | number)[],
): Promise<readonly Row[] | null> {
  const client = new pg.Client({
    application_name: WATCH_NAME,
    ...address,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  // Its failures are an answer here: the server cannot be reached.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text, [...values])).rows;
  } catch (error) {
    // A server that refuses (it has no connection to spare) can be reached, and has not said that anything is wrong.
    return toDatabaseError(error).sqlState === null ? null : [];
  } finally {
    // Not waited for: it may never come to an end either, and is dropped then.
    client.end().catch(() => {});
  }
}

async function lookAt(address: pg.ClientConfig, processId: number, name: string): Promise<Backend> {
  const rows = await ask<{ is_known: boolean; state: string | null }>(address, FIND_BACKEND, [
    processId,
    name,
  ]);
  if (rows === null) return 'unreachable';
  const [row] = rows;
  if (row === undefined) return 'unknown';
  if (rows.some(({ state }) => state === 'active')) return 'busy';
  if (row.state !== null) return 'waiting';
  return row.is_known ? 'absent' : 'unknown';
}

/**
 * Ends a connection whose answer will never come: one that a firewall has forgotten, or whose server has moved, stays open
 * and says nothing for a quarter of an hour. The statement then fails like one whose connection broke. Statements that are
 * merely slow are left alone, however long they take. Returns what calls the watch off.
 */
export function watchStatement(client: WatchedClient): () => void {
  let isOver = false;
  let unknownMs = 0;
  let absentLooks = 0;
  let timer: NodeJS.Timeout | undefined;
  const after = (delayMs: number, work: () => Promise<void>): void => {
    timer = setTimeout(() => void work(), delayMs);
    timer.unref();
  };
  // The library gives it and leaves it out of its types.
  const processId = Number(Reflect.get(client, 'processID'));
  const { address, watchName: name } = client;
  const look = async (): Promise<void> => {
    const found = await lookAt(address, processId, name);
    if (isOver) return;
    unknownMs = found === 'unknown' ? unknownMs + ASK_AFTER_MS : 0;
    absentLooks = found === 'absent' ? absentLooks + 1 : 0;
    const isHopeless =
      found === 'waiting' ||
      found === 'unreachable' ||
      absentLooks >= ABSENT_LOOKS ||
      unknownMs >= UNKNOWN_FOR_MS;
    if (isHopeless) after(ARRIVAL_MS, () => giveUp(found));
    else after(ASK_AFTER_MS, look);
  };
  const giveUp = async (found: Backend): Promise<void> => {
    // With a statement under way the end comes at once, and the statement fails.
    void client.end();
    // The backend still waits for this client. Terminate it so that its locks are released now.
    if (found === 'waiting') await ask(address, 'SELECT pg_terminate_backend($1)', [processId]);
  };
  after(ASK_AFTER_MS, look);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
