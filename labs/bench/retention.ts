import { dayOf, firstIdOfDay } from '../../server-platform/src/db/ids/index.ts';
import type { Database } from '../../server-platform/src/db/index.ts';
import { Scheduler } from '../../server-platform/src/jobs/index.ts';
import { systemClock } from '../../server-platform/src/kit/clock.ts';
import { addEventPartitions, createEventLog } from '../../server-platform/src/realtime/event-log/index.ts';
import { Retention } from '../../server-platform/src/records/erasure/retention.ts';
import { addConnector, append, appendFor, printFigures, sessionsFor } from './databases/append-load.ts';
import { type Opened, openEmbedded, openServer } from './databases/open-engines.ts';

// How fast retention removes the logs of old sessions, and its effect on open conversations. Arguments:
// old sessions, and seconds of appending before that.
const OLD_SESSIONS = Number(process.argv[2] ?? 20_000);
const EVENTS_PER_SESSION = 30;
const CALM_SECONDS = Number(process.argv[3] ?? 4);
// One of this many stays open, and its events stay.
const LIVE_ONE_OF = 25;
const OLD_DAYS = 40;
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Sessions whose ids name their day go with its partition; others row by row. */
type Way = 'row by row' | 'by partition';

for (const open of [openEmbedded, openServer]) {
  for (const way of ['row by row', 'by partition'] as const) {
    const opened = await open();
    if (opened === null) {
      console.log('postgres            not reachable, skipped (set DATABASE_URL_TEST)');
      break;
    }
    await measure(opened, way).finally(() => opened.close());
  }
}

async function measure({ name, database }: Opened, way: Way): Promise<void> {
  const connectorId = await addConnector(database);
  await addOldSessions(database, connectorId, way, OLD_SESSIONS);
  const log = createEventLog(database);
  const calm = await appendFor(CALM_SECONDS, database, connectorId, () => log);
  printFigures(name, 'nothing else', calm);
  let isOver = false;
  const run = removeOld(database).finally(() => {
    isOver = true;
  });
  const goesOn = (): boolean => !isOver;
  const busy = await append(database, connectorId, () => log, goesOn, undefined, sessionsFor(CALM_SECONDS));
  const { rows, seconds } = await run;
  printFigures(name, way, busy);
  const rate = Math.round(rows / seconds);
  console.log(
    `${name.padEnd(20)}retention removed ${rows.toLocaleString('en')} rows in ${seconds.toFixed(1)} s, ${rate.toLocaleString('en')} a second: ${(rate / busy.perSecond).toFixed(1)} for each that was appended beside it, ${(rate / calm.perSecond).toFixed(1)} for each alone`,
  );
  // The open ones have ended as well by now.
  await database.query(
    `UPDATE sessions SET state = 'ended', ended_at = created_at WHERE ended_at IS NULL AND created_at < $1`,
    [Date.now() - KEPT_DAYS * DAY_MS],
  );
  await addOldSessions(database, connectorId, way, OLD_SESSIONS / 4);
  // As rows of that age are.
  await database.query('VACUUM');
  await database.query('CHECKPOINT');
  const before = await readLogBytes(database);
  const alone = await removeOld(database);
  const written = ((await readLogBytes(database)) - before) / alone.rows;
  console.log(`${name.padEnd(20)}alone, each removed row wrote ${written.toFixed(0)} bytes of log`);
}

/** Of the write-ahead log, since its beginning. */
async function readLogBytes(database: Database): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS bytes",
  );
  return row?.bytes ?? Number.NaN;
}

/** Runs retention until nothing is due. */
async function removeOld(database: Database): Promise<{ readonly rows: number; readonly seconds: number }> {
  let rows = 0;
  const onFailure = (what: string, error: unknown): never => {
    throw new Error(`Could not ${what}.`, { cause: error });
  };
  const retention = new Retention({
    database,
    clock: systemClock,
    scheduler: new Scheduler({ onFailure }),
    removeAudio: async () => {},
    onRemoved(counts) {
      for (const count of Object.values(counts)) rows += count;
    },
    onFailure,
  });
  const startedAt = performance.now();
  await retention.run();
  const seconds = (performance.now() - startedAt) / 1_000;
  await retention.close();
  return { rows, seconds };
}

async function addOldSessions(
  database: Database,
  connectorId: string,
  way: Way,
  sessions: number,
): Promise<void> {
  const endedMs = Date.now() - OLD_DAYS * DAY_MS;
  const day = dayOf(endedMs);
  if (way === 'by partition') await addEventPartitions(database, [day]);
  await database.query(
    `UPDATE projects SET settings = settings || jsonb_build_object('retention_days', jsonb_build_object('events', $1::int))`,
    [KEPT_DAYS],
  );
  await database.query(
    `INSERT INTO sessions (id, connector_id, identity, created_at, platform, streaming, state, context_id,
                           last_activity, ended_at, last_sequence)
     SELECT overlay(gen_random_uuid()::text placing $5 from 1)::uuid, $1, 'x', $2, 'web', true,
            CASE WHEN n % $6::int = 0 THEN 'active' ELSE 'ended' END, 'c', $2,
            CASE WHEN n % $6::int <> 0 THEN $2::bigint END, $3
       FROM generate_series(1, $4::int) AS n`,
    [
      connectorId,
      endedMs,
      EVENTS_PER_SESSION,
      sessions,
      way === 'by partition' ? `${firstIdOfDay(day).slice(0, 13)}-8` : '',
      LIVE_ONE_OF,
    ],
  );
  await database.query(
    `INSERT INTO events (session_id, sequence, id, type, payload, bytes, created_at)
     SELECT sessions.id, sequence, gen_random_uuid(), 'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
            json_build_object('message_id', 'msg_01JD3V5T8QX2', 'text', repeat('the evening crossing ', 5)), 151, $1
     FROM sessions, generate_series(1, $2::int) AS sequence WHERE sessions.created_at = $1`,
    [endedMs, EVENTS_PER_SESSION],
  );
}
