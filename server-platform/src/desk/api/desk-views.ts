import { asc, desc, eq, sql as fragment } from 'drizzle-orm';
import type { InferOutput } from 'valibot';
import { listProjectsWithoutTranscripts } from '../../accounts/index.ts';
import { publicState } from '../../agents/index.ts';
import {
  conversations,
  conversationTurns,
  deskNotes,
  deskReplies,
  queryBuilder,
  type Sql,
  sessions,
} from '../../db/index.ts';
import { type ContactRequest, listContactRequests } from '../../realtime/index.ts';
import { isConnected, listPeople, type Person } from '../../staff/index.ts';
import { isAway } from '../board.ts';
import { chooseReplies } from '../choose-replies.ts';
import { fillReply } from '../fill-reply.ts';
import { isQueueOpen, listQueues, type Queue } from '../queues.ts';
import { type DeskRequest, listOpenRequests, listRecentRequests } from '../requests.ts';
import { readVisitorCard } from '../visitor-card.ts';
import { presenceOf, readLastFrames } from '../visitor-presence.ts';
import type {
  contactView,
  detailsView,
  foundView,
  inboxView,
  meView,
  repliesView,
  requestView,
} from './desk-schemas.ts';
import { findRequests } from './find-requests.ts';
import { readQuestions } from './read-questions.ts';
import { canRead, canSee } from './rights.ts';
import { namesOf, viewNote, viewVisitor } from './visitor-view.ts';

type RequestView = InferOutput<typeof requestView>;
type Attributes = Readonly<Record<string, unknown>>;

const RECENT = 10;
// Every change sends them to every desk. The queues show how many more wait.
const LISTED = 100;
// Every change sends them to every desk; further ones follow when some are done.
const CONTACT_REQUESTS = 20;

/** The person as they see themselves. */
export function viewMe({ id, email, name, role, presence, capacity }: Person): InferOutput<typeof meView> {
  return { id, email, name, role, presence, capacity };
}

/** The account's desk, as one person may see it. */
export async function viewInbox(
  sql: Sql,
  person: Person,
  nowMs: number,
): Promise<InferOutput<typeof inboxView>> {
  const [people, queues, open, recent, contact, withheld] = await Promise.all([
    listPeople(sql, person.accountId),
    listQueues(sql, person.accountId),
    listOpenRequests(sql, person.accountId),
    listRecentRequests(sql, person.id, RECENT),
    listContactRequests(sql, person.accountId, 'open', CONTACT_REQUESTS),
    listProjectsWithoutTranscripts(sql, person.accountId),
  ]);
  const me = people.find(({ id }) => id === person.id) ?? person;
  const visible = open
    .filter((request) => canSee(me, request))
    .toSorted((one, other) => Number(isAway(one, nowMs)) - Number(isAway(other, nowMs)));
  const isOwn = ({ personId }: DeskRequest): boolean => personId === me.id;
  const others = visible.filter((request) => !isOwn(request));
  const seen = [...visible.filter(isOwn), ...others.slice(0, LISTED)];
  const view = await readView(sql, seen, { queues, people, nowMs });
  return {
    me: viewMe(me),
    requests: seen.map(view),
    recent: recent.map(view),
    questions: await readQuestions(
      sql,
      [...seen, ...recent].filter((request) => canRead(me, request, !withheld.has(request.projectId))),
    ),
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

/** Results of a person's search. */
export async function viewFound(
  sql: Sql,
  person: Person,
  text: string,
  nowMs: number,
): Promise<InferOutput<typeof foundView>> {
  const [{ requests, visitors }, people, queues, withheld] = await Promise.all([
    findRequests(sql, person, text),
    listPeople(sql, person.accountId),
    listQueues(sql, person.accountId),
    listProjectsWithoutTranscripts(sql, person.accountId),
  ]);
  return {
    requests: requests.map(await readView(sql, requests, { queues, people, nowMs })),
    questions: await readQuestions(
      sql,
      requests.filter((request) => canRead(person, request, !withheld.has(request.projectId))),
    ),
    visitors,
  };
}

/** A contact request as shown to people. */
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

/** Names and time for the views of requests. */
interface Surroundings {
  readonly queues: readonly Queue[];
  readonly people: readonly Person[];
  readonly nowMs: number;
}

/** Resolves with a function that shows one of these requests, or one that is over. */
async function readView(
  sql: Sql,
  requests: readonly DeskRequest[],
  surroundings: Surroundings,
): Promise<(request: DeskRequest) => RequestView> {
  const open = requests.filter(({ endedAtMs }) => endedAtMs === null);
  const lastFrames = await readLastFrames(
    sql,
    open.map(({ sessionId }) => sessionId),
  );
  return (request) => viewRequest(request, lastFrames.get(request.sessionId), surroundings);
}

function viewRequest(
  request: DeskRequest,
  lastFrameMs: number | undefined,
  { queues, people, nowMs }: Surroundings,
): RequestView {
  const presence = presenceOf(request, lastFrameMs, nowMs);
  return {
    id: request.id,
    status: request.status,
    conversation_id: request.conversationId,
    queue_id: request.queueId,
    person_id: request.personId,
    ...namesOf(request, { queues, people }),
    reason: request.reason,
    language: request.language,
    requested_at: toIso(request.requestedAtMs),
    left_at: toIsoOrNull(request.leftAtMs),
    visitor: presence?.status ?? null,
    visitor_since: toIsoOrNull(presence?.sinceMs ?? null),
    accepted_at: toIsoOrNull(request.acceptedAtMs),
    offer_expires_at: toIsoOrNull(request.offerExpiresAtMs),
    ended_at: toIsoOrNull(request.endedAtMs),
    position: request.position,
    estimated_wait_seconds: request.estimatedWaitSeconds,
    unread: request.unread,
    seen_message_id: request.seenMessageId,
    tags: [...request.tags],
  };
}

/** A conversation beside its transcript. */
export async function viewDetails(
  sql: Sql,
  person: Person,
  request: DeskRequest,
  nowMs: number,
): Promise<InferOutput<typeof detailsView>> {
  const mayRead = await mayReadNow(sql, person, request);
  const [people, queues, notes, attributes, card, survey] = await Promise.all([
    listPeople(sql, request.accountId),
    listQueues(sql, request.accountId),
    queryBuilder(sql)
      .select()
      .from(deskNotes)
      .where(eq(deskNotes.sessionId, request.sessionId))
      .orderBy(asc(deskNotes.createdAt)),
    mayRead ? readAttributes(sql, request) : NO_ATTRIBUTES,
    mayRead ? readVisitorCard(sql, request) : null,
    readSurvey(sql, request.conversationId, mayRead),
  ]);
  const view = await readView(sql, [request], { queues, people, nowMs });
  return {
    request: view(request),
    notes: notes.map(viewNote),
    visitor: card === null ? null : await viewVisitor(sql, person, request, card, { queues, people }),
    ...attributes,
    // Newer than the agent's data, because messages for a person do not reach the agent.
    ...(card !== null && Object.keys(card.metadata).length > 0 && { page: card.metadata }),
    survey,
  };
}

/** The canned replies of an account, filled in for a conversation. */
export async function viewReplies(
  sql: Sql,
  person: Person,
  request: DeskRequest | null,
): Promise<InferOutput<typeof repliesView>['replies']> {
  const all = await queryBuilder(sql)
    .select()
    .from(deskReplies)
    .where(eq(deskReplies.accountId, person.accountId))
    .orderBy(asc(deskReplies.name), fragment`${deskReplies.language} NULLS FIRST`);
  const replies = request === null ? all : chooseReplies(all, request.language);
  const mayRead = request !== null && (await mayReadNow(sql, person, request));
  const attributes = request === null ? null : mayRead ? await readAttributes(sql, request) : NO_ATTRIBUTES;
  return replies.map(({ id, name, text, language }) => ({
    ...{ id, name, language },
    text: attributes === null ? text : fillReply(text, { person: person.name, ...attributes }),
  }));
}

const NO_ATTRIBUTES = { state: {}, page: {}, handoff: {} };

async function mayReadNow(sql: Sql, person: Person, request: DeskRequest): Promise<boolean> {
  const withheld = await listProjectsWithoutTranscripts(sql, person.accountId);
  return canRead(person, request, !withheld.has(request.projectId));
}

async function readAttributes(
  sql: Sql,
  { sessionId, conversationId }: DeskRequest,
): Promise<{ readonly state: Attributes; readonly page: Attributes; readonly handoff: Attributes }> {
  const build = queryBuilder(sql);
  const [[session], [conversation]] = await Promise.all([
    build.select({ state: sessions.agentState }).from(sessions).where(eq(sessions.id, sessionId)),
    build
      .select({ data: conversations.handoffData })
      .from(conversations)
      .where(eq(conversations.id, conversationId)),
  ]);
  const { page_context: page, ...state } = publicState(session?.state);
  return { state, page: asRecord(page), handoff: conversation?.data ?? {} };
}

async function readSurvey(
  sql: Sql,
  conversationId: string,
  withComment: boolean,
): Promise<{ readonly score: string; readonly comment: string | null } | null> {
  const [turn] = await queryBuilder(sql)
    .select({ metrics: conversationTurns.metrics })
    .from(conversationTurns)
    .where(eq(conversationTurns.conversationId, conversationId))
    .orderBy(desc(conversationTurns.ordinal))
    .limit(1);
  const { CSAT_SCORE: score, CSAT_COMMENT: comment } = asRecord(turn?.metrics);
  if (score === undefined) return null;
  return { score: String(score), comment: withComment && typeof comment === 'string' ? comment : null };
}

function asRecord(value: unknown): Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}

function toIsoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}
