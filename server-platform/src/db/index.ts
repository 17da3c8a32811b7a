export { type ActivityBuffer, createActivityBuffer } from './activity-buffer.ts';
export { MAX_QUEUED_ROWS } from './append-queue.ts';
export type { AppendEffects, AppendRequest } from './append-request.ts';
export {
  addContactRequest,
  type ContactOutcome,
  type ContactRequest,
  type ContactWords,
  listContactRequests,
  listContactRequestsOf,
  markContactRequest,
} from './contact-requests.ts';
export type {
  ConversationChange,
  ConversationEndReason,
  ConversationHandoff,
  ConversationStart,
  ConversationTurn,
} from './conversation-change.ts';
export { DatabaseClock, FOLLOW_EVERY_MS, readDatabaseTime } from './database-clock.ts';
export { DatabaseError, isDatabaseError } from './database-error.ts';
export { createEventLog, type EventLog, type LogPage } from './event-log.ts';
export {
  addEventPartition,
  addEventPartitions,
  dayOfPartition,
  dropEventPartition,
  LOCK_NOT_AVAILABLE,
  listEventPartitions,
  rangeOf,
  withTableLocks,
} from './event-partitions.ts';
export { GroupReads } from './group-reads.ts';
export { listMissingMigrations, migrate } from './migrate.ts';
export {
  acquireNodeLease,
  DATABASE_NOW,
  forgetLostSessions,
  HAS_LIVE_OWNER,
  isChosenNode,
  LEASE_MS,
  LEASE_RENEWAL_MS,
  type LeaseRenewal,
  type LostSession,
  type NodeLeaseKey,
  releaseNodeLease,
  removeExpiredNodes,
  renewNodeLease,
} from './node-leases.ts';
export { openDatabase } from './open-database.ts';
export { hasEmbeddedDatabase } from './pglite/open-pglite.ts';
export { MAY_STAND_STILL } from './postgres.ts';
export { type QueryBuilder, queryBuilder } from './query-builder.ts';
export { type RateLimit, removeOldLimits, useRateLimits } from './rate-limits.ts';
export { readAhead } from './read-ahead.ts';
export { readLogPages } from './read-log-pages.ts';
export { ANSWER_ID, findAnsweredTurn, recordFeedback } from './record-feedback.ts';
export { recordSurveyScore } from './record-survey-score.ts';
export { accounts, apiKeys, connectors, projects } from './schema/accounts.ts';
export { chats } from './schema/chat.ts';
export { contactRequests } from './schema/contact.ts';
export { conversations, conversationTurns, conversationVectors } from './schema/conversations.ts';
export {
  deskAudit,
  deskMembers,
  deskNotes,
  deskPeople,
  deskQueues,
  deskReplies,
  deskRequests,
  deskSignIns,
} from './schema/desk.ts';
export { conversationUsers, erasures, storedAudio } from './schema/erasure.ts';
export { externalEvents, externalWaits } from './schema/external-events.ts';
export { articleVersions, type EvaluationFailure, evaluationRuns } from './schema/knowledge.ts';
export { events, sessions, turns } from './schema/messaging.ts';
export {
  alertRuleStates,
  alertRules,
  unresolvedAlerts,
  webhookDeliveries,
  webhookEndpoints,
  webhookReceipts,
} from './schema/monitoring.ts';
export { phoneNumbers } from './schema/numbers.ts';
export { searchWords } from './search-words.ts';
export type { SessionPatch, StoredSession } from './session.ts';
export {
  type ClaimRequest,
  type ClaimResult,
  claimSessions,
  loadSessionStatus,
  releaseSessions,
  type SessionStatusRow,
  type Takeover,
} from './session-ownership.ts';
export {
  createSession,
  createSessions,
  listIdleSessions,
  loadSession,
  loadSessionsToJoin,
  type NewSession,
  type SessionToJoin,
  setContextVault,
  setVocabulary,
} from './sessions.ts';
export { shareReads } from './share-reads.ts';
export type { Database, RowBytes, Sql, SqlValue } from './sql.ts';
export { storableText } from './storable-text.ts';
export type { NewEvent, StoredEvent } from './stored-event.ts';
export {
  listOpenTurns,
  listSessionsToRecover,
  type Turn,
} from './turns.ts';
export { refuseUnfinishedCopy, UNFINISHED_COPY } from './unfinished-copy.ts';
export { writeConversations } from './write-conversations.ts';
