import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Database, Sql } from '../../db/index.ts';
import { connectors, contactRequests, projects, queryBuilder, sessions } from '../../db/index.ts';

/** A visitor's contact details and message, to be answered by email. */
export interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly text: string;
}

/** Result of storing a request: stored, over a limit, or no such session. */
export type ContactOutcome =
  | { readonly status: 'stored'; readonly accountId: string }
  | { readonly status: 'limited'; readonly retryAfterSeconds: number }
  | { readonly status: 'unknown' };

/** A stored request as shown to the account's staff. */
export interface ContactRequest extends ContactMessage {
  readonly id: string;
  readonly project: string;
  readonly conversationId: string | null;
  readonly createdAt: number;
  readonly doneAt: number | null;
  readonly doneBy: string | null;
}

const EVERY_MS = 60_000;
const MOST_PER_SESSION = 5;
// Limit of open requests per project.
const MOST_OPEN = 1_000;
// By default no access token is valid for longer, so later requests are impossible.
const AFTER_THE_LAST_SECONDS = 86_400;

/**
 * Stores a request with its session: at most one a minute, and five in total. An identical request is stored once, so
 * that clients can repeat a call whose response was lost.
 */
export async function addContactRequest(
  database: Database,
  sessionId: string,
  words: ContactMessage,
  nowMs: number,
): Promise<ContactOutcome> {
  return await database.tx(async (sql) => {
    const build = queryBuilder(sql);
    // Locked, so that a session's requests are serialised and none is stored after its erasure.
    const [session] = await build
      .select({
        conversationId: sessions.conversationId,
        projectId: projects.id,
        accountId: projects.accountId,
      })
      .from(sessions)
      .innerJoin(connectors, eq(connectors.id, sessions.connectorId))
      .innerJoin(projects, eq(projects.id, connectors.projectId))
      .where(eq(sessions.id, sessionId))
      .for('update', { of: sessions });
    if (session === undefined) return { status: 'unknown' };
    const { accountId } = session;
    const earlier = await listContactRequestsOf(sql, sessionId);
    if (earlier.some((each) => isSame(each, words))) return { status: 'stored', accountId };
    if (earlier.length >= MOST_PER_SESSION)
      return { status: 'limited', retryAfterSeconds: AFTER_THE_LAST_SECONDS };
    const open = await build
      .select({ id: contactRequests.id })
      .from(contactRequests)
      .where(and(eq(contactRequests.projectId, session.projectId), isNull(contactRequests.doneAt)))
      .limit(MOST_OPEN);
    if (open.length >= MOST_OPEN) return { status: 'limited', retryAfterSeconds: AFTER_THE_LAST_SECONDS };
    const waitMs = (earlier.at(-1)?.createdAt ?? -Infinity) + EVERY_MS - nowMs;
    if (waitMs > 0) return { status: 'limited', retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    const { name, email, text } = words;
    const row = { id: randomUUID(), ...session, sessionId, name, email, text, createdAt: nowMs };
    await build.insert(contactRequests).values(row);
    return { status: 'stored', accountId };
  });
}

function isSame(one: ContactMessage, other: ContactMessage): boolean {
  return one.name === other.name && one.email === other.email && one.text === other.text;
}

/** A session's requests, oldest first. */
export async function listContactRequestsOf(
  sql: Sql,
  sessionId: string,
): Promise<readonly (ContactMessage & { readonly createdAt: number })[]> {
  const { name, email, text, createdAt } = contactRequests;
  return await queryBuilder(sql)
    .select({ name, email, text, createdAt })
    .from(contactRequests)
    .where(eq(contactRequests.sessionId, sessionId))
    .orderBy(asc(createdAt));
}

/** An account's requests: open ones oldest first, or recently completed ones newest first. */
export async function listContactRequests(
  sql: Sql,
  accountId: string,
  which: 'open' | 'done',
  limit: number,
): Promise<readonly ContactRequest[]> {
  const { id, conversationId, name, email, text, createdAt, doneAt, doneBy } = contactRequests;
  const columns = { id, conversationId, name, email, text, createdAt, doneAt, doneBy };
  const isOpen = which === 'open';
  return await queryBuilder(sql)
    .select({ ...columns, project: projects.name })
    .from(contactRequests)
    .innerJoin(projects, eq(projects.id, contactRequests.projectId))
    .where(and(eq(contactRequests.accountId, accountId), isOpen ? isNull(doneAt) : isNotNull(doneAt)))
    .orderBy(isOpen ? asc(createdAt) : desc(doneAt))
    .limit(limit);
}

/** Marks a request as completed by `doneBy`, or as open again if null. False if the account has no such request. */
export async function markContactRequest(
  sql: Sql,
  request: { readonly accountId: string; readonly id: string },
  doneBy: string | null,
  nowMs: number,
): Promise<boolean> {
  const marked = await queryBuilder(sql)
    .update(contactRequests)
    .set({ doneBy, doneAt: doneBy === null ? null : nowMs })
    .where(and(eq(contactRequests.id, request.id), eq(contactRequests.accountId, request.accountId)))
    .returning({ id: contactRequests.id });
  return marked.length > 0;
}
