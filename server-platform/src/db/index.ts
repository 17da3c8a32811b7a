/** The database: PGlite or PostgreSQL behind one `Sql` port, the schema, and migrations. Queries are with their features. */

export { BatchLoader } from './batch-loader.ts';
export { DATABASE_NOW, DatabaseClock, FOLLOW_EVERY_MS, readDatabaseTime } from './database-clock.ts';
export { DatabaseError, isDatabaseError, readOnlyError } from './database-error.ts';
export { listMissingMigrations, migrate } from './migrate.ts';
export { openDatabase } from './open-database.ts';
export { hasEmbeddedDatabase } from './pglite/open-pglite.ts';
export { ALLOW_IDLE_TRANSACTION } from './postgres/open-postgres.ts';
export { readPostgresAddress } from './postgres/postgres-address.ts';
export { openTargets, type PostgresTargets, refuseReadOnly } from './postgres/postgres-targets.ts';
export { type QueryBuilder, queryBuilder } from './query-builder.ts';
export { quoteIdentifier } from './quote-identifier.ts';
export { type RateLimit, removeOldLimits, useRateLimits } from './rate-limits.ts';
export { type Backlog, readBacklog } from './read-backlog.ts';
export { readServer } from './read-server.ts';
export { retryAfterDeadlock } from './retry-after-deadlock.ts';
export { accounts, apiKeys, connectors, projects } from './schema/accounts.ts';
export { chats } from './schema/chat.ts';
export { contactRequests } from './schema/contact.ts';
export { conversations, conversationTurns, conversationVectors } from './schema/conversations.ts';
export {
  deskAudit,
  deskFiles,
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
export { idempotentAnswers } from './schema/idempotency.ts';
export {
  articleVersions,
  type EvaluationFailure,
  evaluationRuns,
  modelSpending,
} from './schema/knowledge.ts';
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
export type { Database, QueryOptions, Sql, SqlValue } from './sql.ts';
export { readableJson, storableText } from './storable-text.ts';
export { refuseUnfinishedCopy, UNFINISHED_COPY } from './unfinished-copy.ts';
