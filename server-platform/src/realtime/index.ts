/** Conversations over sockets. */

export {
  addContactRequest,
  type ContactRequest,
  listContactRequests,
  listContactRequestsOf,
  markContactRequest,
} from './gateway/contact-requests.ts';
export { SessionIds } from './gateway/session-ids.ts';
export type { VisitorData } from './gateway/visitor-data.ts';
export type { MessagingContext } from './messaging-context.ts';
export { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from './messaging-limits.ts';
export { createMessagingMetrics, type MessagingMetrics } from './metrics.ts';
export { FigureRecorder, type NodeFigures, nodeFiguresSchema, SAMPLE_MS } from './node-figures.ts';
export { createFailureReport, createObserver } from './observe.ts';
export { NodeLease } from './sessions/node-lease.ts';
export { type SessionLocation, SessionManager } from './sessions/session-manager.ts';
export { startMessaging } from './start-messaging.ts';
