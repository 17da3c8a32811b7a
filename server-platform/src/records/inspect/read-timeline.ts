import { findAccountById, findProjectById } from '../../accounts/index.ts';
import type { Database } from '../../db/index.ts';
import { createEventLog, readLogPages } from '../../realtime/event-log/index.ts';
import type { ReadTraces } from '../../realtime/trace/index.ts';
import type { RecordedConversation, Subject } from './find-subject.ts';
import { mergeSteps, type StoredStep, type StoredTimeline, type StoredTurn } from './merge-steps.ts';
import type { Step, Timeline } from './timeline.ts';

/** Dependencies of reading a timeline. */
export interface TimelineReader {
  readonly database: Database;
  readonly readTraces: ReadTraces;
}

/** The request. */
export interface TimelineQuery {
  readonly withTexts: boolean;
  /** Sequence after which the log is read; 0: from its start. */
  readonly after: number;
}

// Most logs are shorter. Longer ones are read in pages.
const MAX_EVENTS = 2_000;
const MAX_TURNS = 2_000;
// Limit for all texts together.
const MAX_TEXT_CHARACTERS = 1_000_000;

/** Reads the timeline of the object with this id: stored steps, and further ones from the nodes. */
export async function readTimeline(
  { database, readTraces }: TimelineReader,
  { session, conversation }: Subject,
  query: TimelineQuery,
): Promise<Timeline> {
  const [{ events, nextAfter }, turns, project, answers] = await Promise.all([
    session === null ? { events: [], nextAfter: null } : readEvents(database, session.id, query.after),
    conversation === null ? [] : readTurns(database, conversation.id, query.withTexts && session === null),
    conversation === null ? '' : nameProject(database, conversation.projectId),
    session === null ? { nodes: [], whyNone: WITHOUT_SOCKET } : readTraces(session.id),
  ]);
  const isCut = session !== null && query.withTexts && !(await addTexts(database, session.id, events));
  const stored: StoredTimeline = {
    events,
    turns,
    isFirstPart: query.after === 0,
    isLastPart: nextAfter === null,
  };
  const { steps, notes } = mergeSteps(stored, answers, session);
  const text = [
    ...(conversation === null ? [] : describeRecord(conversation)),
    ...(isCut
      ? [
          `The texts together are too long: those after the first ${MAX_TEXT_CHARACTERS} characters are left out.`,
        ]
      : []),
    ...notes,
  ];
  return {
    session:
      session === null
        ? null
        : {
            ...{ id: session.id, state: session.state, epoch: session.ownerEpoch, owner: session.ownerNode },
            created_at: writeTime(session.createdAtMs),
            ended_at: session.endedAtMs === null ? null : writeTime(session.endedAtMs),
            trace_id: session.traceParent?.split('-')[1] ?? null,
          },
    conversation: conversation === null ? null : toConversation(conversation, project),
    steps: steps.map(toView),
    notes: text,
    next_after: nextAfter,
  };
}

const WITHOUT_SOCKET =
  'The conversation was held without a socket (a chat over REST, a call): it has turns, and neither frames nor events.';

type StoredEventRow = {
  readonly sequence: number;
  readonly type: string;
  readonly created_at: number;
  readonly bytes: number;
  readonly end: { readonly reason?: unknown } | null;
};

async function readEvents(
  database: Database,
  sessionId: string,
  after: number,
): Promise<{ readonly events: StoredStep[]; readonly nextAfter: number | null }> {
  const rows = await database.query<StoredEventRow>(
    `SELECT sequence, type, created_at,
            coalesce(bytes, octet_length(payload::text) + coalesce(octet_length(custom::text), 0))::int AS bytes,
            CASE WHEN type = 'EVENT_TYPE_SESSION_END' THEN payload END AS end
       FROM events WHERE session_id = $1 AND sequence > $2 ORDER BY sequence LIMIT ${MAX_EVENTS + 1}`,
    [sessionId, after],
  );
  const events = rows.slice(0, MAX_EVENTS).map(({ sequence, type, created_at, bytes, end }) => ({
    ...{ sequence, type, bytes, atMs: created_at, text: null },
    reason: typeof end?.reason === 'string' ? end.reason : null,
  }));
  return { events, nextAfter: rows.length > MAX_EVENTS ? (events.at(-1)?.sequence ?? null) : null };
}

/** Adds texts to events. Returns false when there is too much text. */
async function addTexts(database: Database, sessionId: string, events: StoredStep[]): Promise<boolean> {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return true;
  const log = createEventLog(database);
  const places = new Map(events.map(({ sequence }, index) => [sequence, index]));
  let characters = 0;
  const read = (cursor: number, limit: number) => log.readPage(sessionId, cursor, limit);
  for await (const page of readLogPages(read, first.sequence - 1)) {
    for (const { sequence, payload } of page.events) {
      const place = places.get(sequence);
      const event = place === undefined ? undefined : events[place];
      if (place === undefined || event === undefined) return true;
      const text = textOf(payload);
      characters += text?.length ?? 0;
      if (characters > MAX_TEXT_CHARACTERS) return false;
      events[place] = { ...event, text };
    }
  }
  return true;
}

/** An event's text, or else its whole payload. */
function textOf(payload: Readonly<Record<string, unknown>>): string | null {
  const { text } = payload;
  if (typeof text === 'string') return text;
  return Object.keys(payload).length === 0 ? null : JSON.stringify(payload);
}

async function readTurns(database: Database, id: string, withTexts: boolean): Promise<readonly StoredTurn[]> {
  const rows = await database.query<TurnRow>(
    `SELECT ordinal, kind, latency_ms, failure, recorded_at,
            CASE WHEN $2 AND upto <= ${MAX_TEXT_CHARACTERS} THEN user_input END AS asked,
            CASE WHEN $2 AND upto <= ${MAX_TEXT_CHARACTERS} THEN agent_response END AS answered
       FROM (SELECT *, sum(octet_length(user_input) + octet_length(agent_response)) OVER (ORDER BY ordinal) AS upto
               FROM conversation_turns WHERE conversation_id = $1 ORDER BY ordinal LIMIT ${MAX_TURNS}) t
      ORDER BY ordinal`,
    [id, withTexts],
  );
  return rows.map(({ ordinal, kind, latency_ms, failure, recorded_at, asked, answered }) => ({
    ...{ ordinal, kind, latencyMs: latency_ms, failure, recordedAt: recorded_at },
    text: asked === null && answered === null ? null : [asked, answered].filter(Boolean).join(' → '),
  }));
}

interface TurnRow {
  readonly ordinal: number;
  readonly kind: string;
  readonly latency_ms: number | null;
  readonly failure: string | null;
  readonly recorded_at: number;
  readonly asked: string | null;
  readonly answered: string | null;
}

async function nameProject(database: Database, id: string): Promise<string> {
  const project = await findProjectById(database, id);
  if (project === null) return id;
  const account = await findAccountById(database, project.accountId);
  return `${account?.slug ?? project.accountId}/${project.slug}`;
}

function toConversation(conversation: RecordedConversation, project: string): Timeline['conversation'] {
  const { id, channel, startedAt, endedAt, endReason, numTurns } = conversation;
  return {
    ...{ id, project, channel, end_reason: endReason, num_turns: numTurns },
    started_at: writeTime(startedAt),
    ended_at: endedAt === null ? null : writeTime(endedAt),
  };
}

function describeRecord({ turnsRemovedAt }: RecordedConversation): readonly string[] {
  if (turnsRemovedAt === null) return [];
  return [`Retention removed the turns at ${writeTime(turnsRemovedAt)}.`];
}

function toView({ atMs, untilMs, kind, summary, node, text }: Step): Timeline['steps'][number] {
  const until = untilMs === null ? null : writeTime(untilMs);
  return { at: writeTime(atMs), until, kind, summary, node, text };
}

function writeTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
