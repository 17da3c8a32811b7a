import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { toDatabaseError } from '../database-error.ts';

// A statement that takes this long is checked; hardly any takes a hundredth of it.
const ASK_AFTER_MS = 5_000;
// Time limit for the server's answer to a check.
const ANSWER_WITHIN_MS = 10_000;
// Longest time that a sent response is in flight.
const ARRIVAL_MS = 1_000;
// Behind a connection pooler, the server does not know our connection by its number. If the pooler does not pass its
// name on either, only this longer time limit helps.
const UNKNOWN_FOR_MS = 120_000;
// Consecutive checks that find no statement of a connection whose name the server should know.
const ABSENT_LOOKS = 2;

type Backend = 'busy' | 'waiting' | 'absent' | 'unknown' | 'unreachable';

/**
 * A connection with a unique name, by which the server's statement can be found. Poolers such as PgBouncer pass the
 * name on. An `application_name` in the address replaces it, and the statement is then found by number.
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

  /** Configuration of another connection to the same server. A getter, because it contains the password. */
  get address(): pg.ClientConfig {
    return this.#address;
  }
}

const WATCH_NAME = 'natter-platform-watch';

// By number and name, because a pooler may report another connection's number.
const FIND_BACKEND = `
SELECT named.is_known, a.state
  FROM (SELECT current_setting('application_name') = '${WATCH_NAME}' AS is_known) named
  LEFT JOIN pg_stat_activity a
    ON CASE WHEN named.is_known THEN a.application_name = $2 AND (a.pid = $1 OR a.state = 'active') ELSE a.pid = $1 END`;

/** Runs one statement over a separate connection; null when the server does not respond. */
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
  // Connection errors are a result here: the server is unreachable.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text, [...values])).rows;
  } catch (error) {
    // A server that rejects the connection (none to spare) is reachable, and this says nothing about the statement.
    return toDatabaseError(error).sqlState === null ? null : [];
  } finally {
    // Not awaited, because it may never complete; the connection is dropped then.
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
 * Terminates a connection whose response will never arrive: one that a firewall has forgotten, or whose server has
 * moved, stays open silently for a quarter of an hour. The statement then fails as on a broken connection. Merely slow
 * statements continue, however long they take. Returns a function that cancels the watch.
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
  // `pg` sets `processID` but does not type it.
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
    // With a running statement this takes effect at once, and the statement fails.
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
