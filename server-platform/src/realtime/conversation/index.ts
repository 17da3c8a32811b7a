/**
 * Shared by turns, handoff and gateway: a conversation's connector, event drafts, record, and the port to its session.
 */
export { chooseVariant } from './choose-variant.ts';
export {
  admitsHost,
  agentNameOf,
  type ConnectorDirectory,
  findMatchingHost,
  type MessagingConnector,
  missingAgentOf,
  optionalTypes,
} from './connector.ts';
export { createConnectorDirectory } from './connector-directory.ts';
export {
  recordEnd,
  recordHandoff,
  recordInterruptedTurn,
  recordPerson,
  recordReturn,
  recordStart,
  recordTurn,
  type SessionEndReason,
  whyOf,
} from './conversation-record.ts';
export {
  agentJoined,
  type ClientEventDraft,
  type EventDraft,
  systemError,
  systemNotice,
} from './event-draft.ts';
export { sessionUnavailable, toOutgoing, transientEvent, transientSystemMessage } from './outgoing-event.ts';
export type { AppendOutcome, SessionPort, WaitingTurn } from './session-port.ts';
