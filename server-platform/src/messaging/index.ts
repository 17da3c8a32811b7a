/** Conversations over sockets. */
export type { MessagingConnector } from './connector.ts';
export { createConnectorDirectory } from './connector-directory.ts';
export { recordHandoff, recordTurn } from './conversation-record.ts';
export { SessionIds } from './gateway/session-ids.ts';
export type { VisitorData } from './gateway/visitor-data.ts';
export {
  type ClientHandoffProvider,
  type HandoffLink,
  type HandoffProvider,
  HandoffRefusedError,
  type HandoffRequest,
  type HandoffResumption,
  type HandoffSession,
  type LiveAgent,
  type LiveAgentMessage,
  type QueueStatus,
  type ServerHandoffProvider,
} from './handoff/handoff-provider.ts';
export type { MessagingContext } from './messaging-context.ts';
export { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from './messaging-limits.ts';
export { createMessagingMetrics, type MessagingMetrics } from './metrics.ts';
export {
  FigureRecorder,
  type NodeFigures,
  nodeFiguresSchema,
  SAMPLE_MS,
} from './node-figures.ts';
export { createFailureReport, createObserver } from './observe.ts';
export { NodeLease } from './session/node-lease.ts';
export { type SessionLocation, SessionManager } from './session/session-manager.ts';
export { type RunningMessaging, startMessaging } from './start-messaging.ts';
export {
  answerTraces,
  createTraceReader,
  listLeasedNodes,
  type NodeTrace,
  type ReadTraces,
  type SessionFact,
  SessionTraces,
  type TraceAnswers,
  type TraceEntry,
} from './trace/index.ts';
