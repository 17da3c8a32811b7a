export { type ActivityBuffer, createActivityBuffer } from './activity-buffer.ts';
export { MAX_QUEUED_ROWS } from './append-queue.ts';
export type { AppendEffects, AppendRequest } from './append-request.ts';
export { DatabaseError, isDatabaseError } from './database-error.ts';
export { createEventLog, type EventLog } from './event-log.ts';
export { migrate } from './migrate.ts';
export { openDatabase } from './open-database.ts';
export type { Session, SessionPatch } from './session.ts';
export {
  claimSession,
  LEASE_MS,
  LEASE_RENEWAL_MS,
  releaseLeases,
  renewLeases,
} from './session-lease.ts';
export {
  createSession,
  listIdleSessions,
  loadSession,
  setContextVault,
  setVocabulary,
} from './sessions.ts';
export type { Database, Sql } from './sql.ts';
export type { NewEvent, StoredEvent } from './stored-event.ts';
export {
  listSessionsToRecover,
  listUnfinishedTurns,
  type Turn,
  type TurnPatch,
} from './turns.ts';
