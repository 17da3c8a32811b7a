/** The session's side of a hand-off, and the port that providers implement. */
export { Handoff } from './handoff.ts';
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
} from './handoff-provider.ts';
