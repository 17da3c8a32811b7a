import { randomUUID } from 'node:crypto';
import type { Database } from '../../../server-platform/src/db/index.ts';
import {
  type AppendRequest,
  createSession,
  type EventLog,
  type NewEvent,
} from '../../../server-platform/src/realtime/event-log/index.ts';
import { acquireNodeLease, claimSessions } from '../../../server-platform/src/realtime/ownership/index.ts';

// Appends to the event log the way conversations do: SESSIONS at once, each event waiting for its commit before the
// next one of its session is sent.
const SESSIONS = 32;
// A run of less than a second only shows that the measurement works; its figure is not kept.
const FEW_SESSIONS = 4;
const EVENTS_PER_TURN = 30;
const WARM_UP_TURNS = 2;

/** Result of appending: events per second, and milliseconds until an event was committed. */
export type Figures = { readonly perSecond: number; readonly medianMs: number; readonly p99Ms: number };

/** How many sessions append for so long. */
export function sessionsFor(seconds: number): number {
  return seconds < 1 ? FEW_SESSIONS : SESSIONS;
}

/** Appends whole turns in new sessions for as long as `goesOn` says. */
export async function append(
  database: Database,
  connectorId: string,
  logFor: () => EventLog,
  goesOn: (elapsedMs: number) => boolean,
  createId: () => string = randomUUID,
  sessionCount: number = SESSIONS,
): Promise<Figures> {
  const sessions = await Promise.all(
    Array.from({ length: sessionCount }, async () => ({
      log: logFor(),
      ...(await openSession(database, connectorId, createId())),
    })),
  );
  const turn = async ({ log, owner }: (typeof sessions)[number], latencies: number[]): Promise<void> => {
    const turnId = randomUUID();
    for (let index = 0; index < EVENTS_PER_TURN; index += 1) {
      const startedAt = performance.now();
      const result = await log.append({ ...owner, ...partOf(turnId, index) });
      if (result.status !== 'appended') throw new Error(`append answered ${result.status}`);
      latencies.push(performance.now() - startedAt);
    }
  };
  for (let index = 0; index < WARM_UP_TURNS; index += 1)
    await Promise.all(sessions.map((each) => turn(each, [])));
  const latencies: number[] = [];
  const startedAt = performance.now();
  await Promise.all(
    sessions.map(async (session) => {
      while (goesOn(performance.now() - startedAt)) await turn(session, latencies);
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { perSecond: latencies.length / elapsed, medianMs: at(0.5), p99Ms: at(0.99) };
}

/** Appends for some seconds. */
export function appendFor(
  seconds: number,
  database: Database,
  connectorId: string,
  logFor: () => EventLog,
  createId?: () => string,
): Promise<Figures> {
  const goesOn = (elapsedMs: number): boolean => elapsedMs < seconds * 1_000;
  return append(database, connectorId, logFor, goesOn, createId, sessionsFor(seconds));
}

export function printFigures(engine: string, what: string, { perSecond, medianMs, p99Ms }: Figures): void {
  const rate = Math.round(perSecond).toLocaleString('en');
  const times = `median ${medianMs.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  console.log(`${engine.padEnd(20)}${what.padEnd(22)}${rate.padStart(8)} events/s  ${times}`);
}

/** A turn as the platform writes it: the message queues the turn, the first and the last chunk change its record. */
function partOf(turnId: string, index: number): Pick<AppendRequest, 'events' | 'effects'> {
  const isLast = index === EVENTS_PER_TURN - 1;
  if (index === 0) return { events: [message()], effects: { queueTurn: { id: turnId } } };
  const events = [chunk(index, isLast)];
  if (index === 1)
    return { events, effects: { beginTurn: { id: turnId, messageId: 'msg_1', startedAtMs: Date.now() } } };
  return isLast ? { events, effects: { endTurn: { id: turnId } } } : { events };
}

function message(): NewEvent {
  const draft = randomUUID();
  return {
    id: randomUUID(),
    type: 'EVENT_TYPE_USER_MESSAGE',
    payload: { text: 'When does the evening ferry leave?', message_id: 'msg_01JD3V5T8QX1' },
    custom: { client_event_id: draft, local_id: draft },
    clientEventId: draft,
    timestampMs: Date.now(),
  };
}

function chunk(index: number, isLast: boolean): NewEvent {
  return {
    id: randomUUID(),
    type: 'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
    payload: {
      message_id: 'msg_01JD3V5T8QX2',
      text: ' the evening crossing ',
      attachments: [],
      response_suggestions: [],
      chunk_index: index,
      is_complete: isLast,
    },
    custom: null,
    timestampMs: Date.now(),
  };
}

async function openSession(
  database: Database,
  connectorId: string,
  id: string,
): Promise<{ readonly owner: { readonly sessionId: string; readonly epoch: number } }> {
  const createdAtMs = Date.now();
  await createSession(database, {
    id,
    connectorId,
    identity: randomUUID(),
    platform: 'web',
    deviceType: null,
    streaming: true,
    language: null,
    contextId: randomUUID(),
    createdAtMs,
    start: {
      id: randomUUID(),
      type: 'EVENT_TYPE_SESSION_START',
      payload: {},
      custom: null,
      timestampMs: createdAtMs,
    },
  });
  const lease = await acquireNodeLease(database, `bench-${id}`, 3_600_000);
  const [claim] = await claimSessions(database, lease, [{ sessionId: id }]);
  if (claim?.status !== 'claimed') throw new Error(`claim answered ${claim?.status}`);
  return { owner: { sessionId: id, epoch: claim.session.ownerEpoch } };
}

/** Adds a project with one connector, and resolves with the id of that. */
export async function addConnector(database: Database): Promise<string> {
  const id = randomUUID();
  await database.query("INSERT INTO accounts VALUES ('ACCOUNT-bench', 'bench', 'Bench', 0)");
  await database.query(
    "INSERT INTO projects (id, account_id, slug, name, created_at) VALUES ('PROJECT-bench', 'ACCOUNT-bench', 'bench', 'Bench', 0)",
  );
  await database.query(
    `INSERT INTO connectors (id, project_id, name, token_hash, token_hint, hosts, environment, created_at)
     VALUES ($1::uuid, 'PROJECT-bench', 'bench', $2, '', '[]', 'live', 0)`,
    [id, id],
  );
  return id;
}
