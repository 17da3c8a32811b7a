/** The log of all sessions: appends in group commits, reads after a cursor, and the rows that change with an append. */
export { type ActivityBuffer, createActivityBuffer } from './activity-buffer.ts';
export { MAX_QUEUED_ROWS } from './append-queue.ts';
export type { AppendEffects, AppendRequest } from './append-request.ts';
export { coalesceReads } from './coalesce-reads.ts';
export type {
  ConversationChange,
  ConversationEndReason,
  ConversationHandoff,
  ConversationStart,
  ConversationTurn,
} from './conversation-change.ts';
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
export { readAhead } from './read-ahead.ts';
export { readLogPages } from './read-log-pages.ts';
export { ANSWER_ID, findAnsweredTurn, recordFeedback } from './record-feedback.ts';
export { recordSurveyScore } from './record-survey-score.ts';
export { INDEXED_CHARACTERS, searchWords } from './search-words.ts';
export {
  countOpenSessions,
  createSession,
  createSessions,
  findSessionOf,
  listIdleSessions,
  loadSession,
  loadSessionsToJoin,
  type NewSession,
  type SessionToJoin,
  setContextVault,
  setVocabulary,
  touchSessions,
} from './session-table.ts';
export type { NewEvent, StoredEvent } from './stored-event.ts';
export {
  readSessionRow,
  SESSION_COLUMNS,
  type SessionPatch,
  type SessionRow,
  type StoredSession,
} from './stored-session.ts';
export { writeConversations } from './write-conversations.ts';
