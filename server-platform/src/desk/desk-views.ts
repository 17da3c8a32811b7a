import { asc, desc, eq } from 'drizzle-orm';
import type { InferOutput } from 'valibot';
import {
  type ContactRequest,
  conversations,
  conversationTurns,
  deskNotes,
  deskReplies,
  listContactRequests,
  queryBuilder,
  type Sql,
  sessions,
} from '../db/index.ts';
import type { contactView, detailsView, inboxView, meView, requestView } from './desk-schemas.ts';
import { fillReply } from './fill-reply.ts';
import { isConnected, listPeople, type Person } from './people.ts';
import { isQueueOpen, listQueues, type Queue } from './queues.ts';
import { type DeskRequest, listOpenRequests, listRecentRequests } from './requests.ts';

type RequestView = InferOutput<typeof requestView>;
type Facts = Readonly<Record<string, unknown>>;

const RECENT = 10;
const QUESTION_CHARACTERS = 120;
// Every change sends them to every desk; the next ones follow when some are done.
const CONTACT_REQUESTS = 20;

/** Whether a person may look into a request: their own, those that wait in their queues; supervisors all. */
export function canSee({ id, role, queueIds }: Person, request: DeskRequest): boolean {
  if (role !== 'agent' || request.personId === id) return true;
  return request.status === 'waiting' && queueIds.includes(request.queueId);
}

/** The person as they see themselves. */
export function viewMe({ id, email, name, role, presence, capacity }: Person): InferOutput<typeof meView> {
  return { id, email, name, role, presence, capacity };
}

/** What a person sees of the account's desk. */
export async function viewInbox(
  sql: Sql,
  person: Person,
  nowMs: number,
): Promise<InferOutput<typeof inboxView>> {
  const [people, queues, open, recent, contact] = await Promise.all([
    listPeople(sql, person.accountId),
    listQueues(sql, person.accountId),
    listOpenRequests(sql, person.accountId),
    listRecentRequests(sql, person.id, RECENT),
    listContactRequests(sql, person.accountId, 'open', CONTACT_REQUESTS),
  ]);
  const me = people.find(({ id }) => id === person.id) ?? person;
  const view = (request: DeskRequest): RequestView => viewRequest(request, queues, people);
  const seen = open.filter((request) => canSee(me, request));
  return {
    me: viewMe(me),
    requests: seen.map(view),
    recent: recent.map(view),
    questions: await readQuestions(sql, [...seen, ...recent]),
    contact_requests: contact.map(viewContact),
    queues: queues.map((queue) => ({
      id: queue.id,
      name: queue.name,
      is_open: isQueueOpen(queue, nowMs),
      waiting: open.filter(({ queueId, status }) => queueId === queue.id && status !== 'accepted').length,
    })),
    people: people.flatMap((each) =>
      each.disabledAtMs !== null
        ? []
        : [
            {
              id: each.id,
              name: each.name,
              role: each.role,
              presence: isConnected(each, nowMs) ? each.presence : 'offline',
              load: open.filter(({ personId }) => personId === each.id).length,
              capacity: each.capacity,
            },
          ],
    ),
  };
}

const QUESTIONS = `
  SELECT asked.id, left(first.user_input, ${QUESTION_CHARACTERS}) AS question
    FROM unnest($1::text[]) AS asked (id)
   CROSS JOIN LATERAL (
     SELECT user_input FROM conversation_turns
      WHERE conversation_id = asked.id AND user_input <> '' ORDER BY ordinal LIMIT 1) AS first`;

/** What visitors have asked first tells their conversations from each other in a list. */
async function readQuestions(sql: Sql, requests: readonly DeskRequest[]): Promise<Record<string, string>> {
  if (requests.length === 0) return {};
  const ids = [...new Set(requests.map(({ conversationId }) => conversationId))];
  const rows = await sql.query<{ id: string; question: string }>(QUESTIONS, [ids]);
  return Object.fromEntries(rows.map(({ id, question }) => [id, question]));
}

/** What a visitor has left, as people see it. */
export function viewContact(request: ContactRequest): InferOutput<typeof contactView> {
  const { id, project, name, email, text } = request;
  return {
    ...{ id, project, name, email, text },
    conversation_id: request.conversationId,
    created_at: toIso(request.createdAt),
    done_at: toIsoOrNull(request.doneAt),
    done_by: request.doneBy,
  };
}

function viewRequest(request: DeskRequest, queues: readonly Queue[], people: readonly Person[]): RequestView {
  return {
    id: request.id,
    status: request.status,
    conversation_id: request.conversationId,
    queue_id: request.queueId,
    queue_name: queues.find(({ id }) => id === request.queueId)?.name ?? '',
    person_id: request.personId,
    person_name: people.find(({ id }) => id === request.personId)?.name ?? null,
    reason: request.reason,
    language: request.language,
    requested_at: toIso(request.requestedAtMs),
    accepted_at: toIsoOrNull(request.acceptedAtMs),
    offer_expires_at: toIsoOrNull(request.offerExpiresAtMs),
    ended_at: toIsoOrNull(request.endedAtMs),
    position: request.position,
    estimated_wait_seconds: request.estimatedWaitSeconds,
    unread: request.unread,
    tags: [...request.tags],
  };
}

/** A conversation beside its transcript. */
export async function viewDetails(sql: Sql, request: DeskRequest): Promise<InferOutput<typeof detailsView>> {
  const [people, queues, notes, facts, survey] = await Promise.all([
    listPeople(sql, request.accountId),
    listQueues(sql, request.accountId),
    queryBuilder(sql)
      .select()
      .from(deskNotes)
      .where(eq(deskNotes.sessionId, request.sessionId))
      .orderBy(asc(deskNotes.createdAt)),
    readFacts(sql, request),
    readSurvey(sql, request.conversationId),
  ]);
  return {
    request: viewRequest(request, queues, people),
    notes: notes.map(({ id, personName, text, createdAt }) => ({
      ...{ id, text },
      person_name: personName,
      created_at: toIso(createdAt),
    })),
    ...facts,
    survey,
  };
}

/** The canned replies of an account, filled in for a conversation. */
export async function viewReplies(
  sql: Sql,
  person: Person,
  request: DeskRequest | null,
): Promise<readonly { readonly id: string; readonly name: string; readonly text: string }[]> {
  const replies = await queryBuilder(sql)
    .select()
    .from(deskReplies)
    .where(eq(deskReplies.accountId, person.accountId))
    .orderBy(asc(deskReplies.name));
  const facts = request === null ? null : await readFacts(sql, request);
  return replies.map(({ id, name, text }) => ({
    ...{ id, name },
    text: facts === null ? text : fillReply(text, { person: person.name, ...facts }),
  }));
}

async function readFacts(
  sql: Sql,
  { sessionId, conversationId }: DeskRequest,
): Promise<{ readonly state: Facts; readonly page: Facts; readonly handoff: Facts }> {
  const build = queryBuilder(sql);
  const [[session], [conversation]] = await Promise.all([
    build.select({ state: sessions.agentState }).from(sessions).where(eq(sessions.id, sessionId)),
    build
      .select({ data: conversations.handoffData })
      .from(conversations)
      .where(eq(conversations.id, conversationId)),
  ]);
  const { page_context: page, ...state } = asFacts(session?.state);
  return { state, page: asFacts(page), handoff: conversation?.data ?? {} };
}

async function readSurvey(
  sql: Sql,
  conversationId: string,
): Promise<{ readonly score: string; readonly comment: string | null } | null> {
  const [turn] = await queryBuilder(sql)
    .select({ metrics: conversationTurns.metrics })
    .from(conversationTurns)
    .where(eq(conversationTurns.conversationId, conversationId))
    .orderBy(desc(conversationTurns.ordinal))
    .limit(1);
  const { CSAT_SCORE: score, CSAT_COMMENT: comment } = asFacts(turn?.metrics);
  if (score === undefined) return null;
  return { score: String(score), comment: typeof comment === 'string' ? comment : null };
}

function asFacts(value: unknown): Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}

function toIsoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}
