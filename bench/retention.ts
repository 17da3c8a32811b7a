import { systemClock } from '../server-platform/src/clock.ts';
import { createEventLog, type Database } from '../server-platform/src/db/index.ts';
import { Retention } from '../server-platform/src/erasure/retention.ts';
import { Scheduler } from '../server-platform/src/sweep/index.ts';
import { addConnector, append, appendFor, printFigures } from './append-load.ts';
import { type Opened, openEmbedded, openServer } from './open-engines.ts';

// How fast retention removes the logs of old sessions, and what the conversations that go on notice of it.
const OLD_SESSIONS = Number(process.argv[2] ?? 20_000);
const EVENTS_PER_SESSION = 30;
const CALM_SECONDS = 4;
const OLD_DAYS = 40;
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

for (const open of [openEmbedded, openServer]) {
  const opened = await open();
  if (opened === null) console.log('postgres            not reachable, skipped (set DATABASE_URL_TEST)');
  else await measure(opened).finally(() => opened.close());
}

async function measure({ name, database }: Opened): Promise<void> {
  const connectorId = await addConnector(database);
  await addOldSessions(database, connectorId);
  const log = createEventLog(database);
  const calm = await appendFor(CALM_SECONDS, database, connectorId, () => log);
  printFigures(name, 'nothing else', calm);

  let removed = 0;
  const onFailure = (what: string, error: unknown): never => {
    throw new Error(`Could not ${what}.`, { cause: error });
  };
  const retention = new Retention({
    database,
    clock: systemClock,
    scheduler: new Scheduler({ onFailure }),
    removeAudio: async () => {},
    onRemoved(counts) {
      for (const count of Object.values(counts)) removed += count;
    },
    onFailure,
  });
  const startedAt = performance.now();
  let isOver = false;
  const run = retention.run().finally(() => {
    isOver = true;
  });
  const busy = await append(
    database,
    connectorId,
    () => log,
    () => !isOver,
  );
  await run;
  const seconds = (performance.now() - startedAt) / 1_000;
  await retention.close();
  printFigures(name, 'beside retention', busy);
  const rate = Math.round(removed / seconds);
  console.log(
    `${name.padEnd(20)}retention removed ${removed.toLocaleString('en')} rows in ${seconds.toFixed(1)} s, ${rate.toLocaleString('en')} a second: ${(rate / busy.perSecond).toFixed(1)} for each that was appended beside it, ${(rate / calm.perSecond).toFixed(1)} for each alone`,
  );
}

async function addOldSessions(database: Database, connectorId: string): Promise<void> {
  const endedMs = Date.now() - OLD_DAYS * DAY_MS;
  await database.query(
    `UPDATE projects SET settings = settings || jsonb_build_object('retention_days', jsonb_build_object('events', $1::int))`,
    [KEPT_DAYS],
  );
  await database.query(
    `INSERT INTO sessions (id, connector_id, identity, created_at, platform, streaming, state, context_id,
                           last_activity, ended_at, last_sequence)
     SELECT gen_random_uuid(), $1, 'x', $2, 'web', true, 'ended', 'c', $2, $2, $3 FROM generate_series(1, $4::int)`,
    [connectorId, endedMs, EVENTS_PER_SESSION, OLD_SESSIONS],
  );
  await database.query(
    `INSERT INTO events (session_id, sequence, id, type, payload, created_at)
     SELECT sessions.id, sequence, gen_random_uuid(), 'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
            json_build_object('message_id', 'msg_01JD3V5T8QX2', 'text', repeat('the evening crossing ', 5)), $1
     FROM sessions, generate_series(1, $2::int) AS sequence WHERE sessions.ended_at = $1`,
    [endedMs, EVENTS_PER_SESSION],
  );
}
