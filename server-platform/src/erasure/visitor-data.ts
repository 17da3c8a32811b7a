import { asc, eq } from 'drizzle-orm';
import { findProjectById } from '../accounts/index.ts';
import {
  connectors,
  type Database,
  events,
  listContactRequestsOf,
  queryBuilder,
  sessions,
} from '../db/index.ts';
import { eraseSession } from './erase.ts';
import type { RemovedRows } from './removed-rows.ts';

const toTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Reads what is stored about the visitor of a session; null for an unknown session. Source: messaging.md 3.7. */
export async function readVisitorData(database: Database, sessionId: string): Promise<object | null> {
  const build = queryBuilder(database);
  const [row] = await build
    .select({ session: sessions, projectId: connectors.projectId })
    .from(sessions)
    .innerJoin(connectors, eq(connectors.id, sessions.connectorId))
    .where(eq(sessions.id, sessionId));
  if (row === undefined) return null;
  const { session, projectId } = row;
  const project = await findProjectById(database, projectId);
  const stored = await build
    .select()
    .from(events)
    .where(eq(events.sessionId, sessionId))
    .orderBy(asc(events.sequence));
  const asked = await listContactRequestsOf(database, sessionId);
  return {
    session_id: session.id,
    conversation_id: session.conversationId,
    created_at: toTime(session.createdAt),
    last_activity_at: toTime(session.lastActivity),
    ended_at: toTime(session.endedAt),
    platform: session.platform,
    device_type: session.deviceType,
    language: session.language,
    verified_context: session.contextVault,
    agent_memory: session.agentState,
    retention_days: project?.retention ?? null,
    events: stored.map(({ sequence, type, createdAt, payload, custom }) => ({
      sequence,
      type,
      timestamp: toTime(createdAt),
      payload,
      ...(custom !== null && { metadata: { custom } }),
    })),
    contact_requests: asked.map(({ createdAt, ...words }) => ({ ...words, created_at: toTime(createdAt) })),
  };
}

/** Erases the session of a visitor, and its conversation; null when nothing of it is stored. Source: messaging.md 3.7. */
export async function eraseVisitorData(database: Database, sessionId: string): Promise<RemovedRows | null> {
  const [row] = await queryBuilder(database)
    .select({ projectId: connectors.projectId })
    .from(sessions)
    .innerJoin(connectors, eq(connectors.id, sessions.connectorId))
    .where(eq(sessions.id, sessionId));
  const project = row === undefined ? null : await findProjectById(database, row.projectId);
  return project === null ? null : await eraseSession(database, project, sessionId);
}
