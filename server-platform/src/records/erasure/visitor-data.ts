import { desc, eq } from 'drizzle-orm';
import { findProjectById } from '../../accounts/index.ts';
import { connectors, type Database, deskRequests, queryBuilder, sessions } from '../../db/index.ts';
import { type EventLog, readLogPages, type StoredEvent } from '../../realtime/event-log/index.ts';
import { listContactRequestsOf } from '../../realtime/index.ts';
import { eraseSession } from './erase.ts';
import type { RemovedRows } from './removed-rows.ts';

const toTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * Reads the stored data about a session's visitor, as JSON text in pieces, because it can be hundreds of megabytes,
 * which at once would block everything else. Null for an unknown session. Source: messaging.md 3.7.
 */
export async function readVisitorData(
  database: Database,
  log: Pick<EventLog, 'readPage'>,
  sessionId: string,
): Promise<AsyncGenerator<string, void, undefined> | null> {
  const [row] = await queryBuilder(database)
    .select({ session: sessions, projectId: connectors.projectId })
    .from(sessions)
    .innerJoin(connectors, eq(connectors.id, sessions.connectorId))
    .where(eq(sessions.id, sessionId));
  if (row === undefined) return null;
  const { session, projectId } = row;
  const project = await findProjectById(database, projectId);
  const asked = await listContactRequestsOf(database, sessionId);
  const visitorData = {
    session_id: session.id,
    conversation_id: session.conversationId,
    created_at: toTime(session.createdAt),
    last_activity_at: toTime(session.lastActivity),
    ended_at: toTime(session.endedAt),
    platform: session.platform,
    device_type: session.deviceType,
    left_page_at: toTime(await readLeftAt(database, sessionId)),
    language: session.language,
    verified_context: session.contextVault,
    agent_memory: session.agentState,
    retention_days: project?.retention ?? null,
    contact_requests: asked.map(({ createdAt, ...words }) => ({ ...words, created_at: toTime(createdAt) })),
  };
  const pages = readLogPages((cursor, limit) => log.readPage(session.id, cursor, limit), 0);
  return writeData(visitorData, pages);
}

/** Since when the visitor has been disconnected, as desks see it. */
async function readLeftAt(database: Database, sessionId: string): Promise<number | null> {
  const [request] = await queryBuilder(database)
    .select({ leftAt: deskRequests.leftAt })
    .from(deskRequests)
    .where(eq(deskRequests.sessionId, sessionId))
    .orderBy(desc(deskRequests.requestedAt))
    .limit(1);
  return request?.leftAt ?? null;
}

async function* writeData(
  head: object,
  pages: AsyncIterable<{ readonly events: readonly StoredEvent[] }>,
): AsyncGenerator<string, void, undefined> {
  yield `${JSON.stringify(head).slice(0, -1)},"events":[`;
  let separator = '';
  for await (const { events } of pages) {
    if (events.length === 0) continue;
    yield separator + events.map((event) => JSON.stringify(describe(event))).join(',');
    separator = ',';
  }
  yield ']}';
}

const describe = ({ sequence, type, timestampMs, payload, custom }: StoredEvent): object => ({
  sequence,
  type,
  timestamp: toTime(timestampMs),
  payload,
  ...(custom !== null && { metadata: { custom } }),
});

/** Erases a visitor's session and its conversation; null when nothing is stored. Source: messaging.md 3.7. */
export async function eraseVisitorData(database: Database, sessionId: string): Promise<RemovedRows | null> {
  const [row] = await queryBuilder(database)
    .select({ projectId: connectors.projectId })
    .from(sessions)
    .innerJoin(connectors, eq(connectors.id, sessions.connectorId))
    .where(eq(sessions.id, sessionId));
  const project = row === undefined ? null : await findProjectById(database, row.projectId);
  return project === null ? null : await eraseSession(database, project, sessionId);
}
