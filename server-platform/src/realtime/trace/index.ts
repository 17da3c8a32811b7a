/** Traces of sessions, in memory only. */

export { logTraceEvent } from './log-trace-event.ts';
export { codeOf, type FrameOutcome, type SessionTraceEvent } from './session-trace-event.ts';
export { SessionTraces, type TraceEntry } from './session-traces.ts';
export {
  answerTraces,
  createTraceReader,
  listLeasedNodes,
  type NodeTrace,
  type ReadTraces,
  type TraceAnswers,
} from './trace-exchange.ts';
