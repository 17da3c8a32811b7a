import { asc, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { deskNotes, deskRequests, queryBuilder, type Sql } from '../../db/index.ts';
import { type EventLog, readLogPages, type StoredEvent } from '../../realtime/event-log/index.ts';
import { listPeople } from '../../staff/index.ts';
import { listQueues } from '../queues.ts';
import { SHOWN_EVENTS, toEntry } from './person-stream.ts';

/** Limit of shown events per conversation; people write far fewer. */
const MAX_ENTRIES = 2_000;

const text = v.string();

/** Activity of people in a conversation: events during it, their notes, and handoffs to the desk. */
export const peoplePartView = v.pipe(
  v.object({
    entries: v.array(
      v.object({
        id: text,
        sequence: v.number(),
        type: text,
        payload: v.record(text, v.unknown()),
        at: text,
      }),
    ),
    /** Whether there are more events than are listed. */
    is_cut: v.boolean(),
    notes: v.array(v.object({ id: text, person_name: text, text, created_at: text })),
    requests: v.array(
      v.object({
        id: text,
        queue_name: text,
        person_name: v.nullable(text),
        requested_at: text,
        tags: v.array(text),
      }),
    ),
  }),
  v.metadata({ name: 'PeoplePart' }),
);

/** Sources of the part about people. */
export interface PeoplePartSources {
  readonly database: Sql;
  readonly log: Pick<EventLog, 'readPage'>;
}

/** Reads what people have done in a session; the events only where they may be read. */
export async function viewPeoplePart(
  { database, log }: PeoplePartSources,
  { accountId, sessionId, mayRead }: { accountId: string; sessionId: string; mayRead: boolean },
): Promise<v.InferOutput<typeof peoplePartView>> {
  const build = queryBuilder(database);
  const [people, queues, notes, requests, entries] = await Promise.all([
    listPeople(database, accountId),
    listQueues(database, accountId),
    build
      .select()
      .from(deskNotes)
      .where(eq(deskNotes.sessionId, sessionId))
      .orderBy(asc(deskNotes.createdAt)),
    build
      .select()
      .from(deskRequests)
      .where(eq(deskRequests.sessionId, sessionId))
      .orderBy(asc(deskRequests.requestedAt)),
    mayRead ? readEntries(log, sessionId) : [],
  ]);
  return {
    entries: entries.slice(0, MAX_ENTRIES),
    is_cut: entries.length > MAX_ENTRIES,
    notes: notes.map(({ id, personName, text: words, createdAt }) => ({
      ...{ id, person_name: personName, text: words },
      created_at: new Date(createdAt).toISOString(),
    })),
    requests: requests.map(({ id, queueId, personId, requestedAt, tags }) => ({
      id,
      queue_name: queues.find((queue) => queue.id === queueId)?.name ?? '',
      person_name: people.find((person) => person.id === personId)?.name ?? null,
      requested_at: new Date(requestedAt).toISOString(),
      tags: [...tags],
    })),
  };
}

/**
 * The events that no turn contains: from each request for a person until the automated agent is back, and the end. One
 * more than {@link MAX_ENTRIES} if there are more.
 */
async function readEntries({ readPage }: PeoplePartSources['log'], sessionId: string) {
  const entries: ReturnType<typeof toEntry>[] = [];
  let isWithPeople = false;
  for await (const { events } of readLogPages((cursor, limit) => readPage(sessionId, cursor, limit), 0)) {
    for (const event of events) {
      const type = typeOf(event);
      if (type === 'AGENT_TRIGGERED_HANDOFF') isWithPeople = true;
      if ((isWithPeople || type === 'SESSION_END') && SHOWN_EVENTS.has(type))
        entries.push(toEntry(event, type));
      if (type === 'AGENT_JOINED') isWithPeople = false;
    }
    if (entries.length > MAX_ENTRIES) break;
  }
  return entries.slice(0, MAX_ENTRIES + 1);
}

const typeOf = ({ type }: StoredEvent): string => type.replace('EVENT_TYPE_', '');
