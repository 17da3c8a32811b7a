export { type ActivityBuffer, createActivityBuffer } from './activity-buffer.ts';
export type { AppendEffects, AppendRequest, AppendResult } from './append-request.ts';
export { DatabaseError, type DatabaseErrorCode, isDatabaseError } from './database-error.ts';
export { createEventLog, type EventLog } from './event-log.ts';
export { migrate } from './migrate.ts';
export { type OpenDatabaseOptions, openDatabase } from './open-database.ts';
export type { ConversationStatus, Session, SessionPatch, SessionState } from './session.ts';
export {
  type ClaimResult,
  claimSession,
  LEASE_MS,
  LEASE_RENEWAL_MS,
  releaseLeases,
  renewLeases,
} from './session-lease.ts';
export {
  createSession,
  deleteSession,
  listIdleSessions,
  loadSession,
  type NewSession,
  setContextVault,
  setVocabulary,
  touchSessions,
} from './sessions.ts';
export type { Database, QueryOptions, Sql, SqlValue } from './sql.ts';
export type { NewEvent, StoredEvent } from './stored-event.ts';
export {
  listSessionsToRecover,
  listTurns,
  listUnfinishedTurns,
  type Turn,
  type TurnPatch,
  type TurnState,
} from './turns.ts';
