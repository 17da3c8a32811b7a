/** Traces of sessions, in memory only. */

export { logTraceEvent } from './log-fact.ts';
export { codeOf, type FrameOutcome, type SessionTraceEvent } from './session-fact.ts';
export { SessionTraces, type TraceEntry } from './session-traces.ts';
export {
  answerTraces,
  createTraceReader,
  listLeasedNodes,
  type NodeTrace,
  type ReadTraces,
  type TraceAnswers,
} from './trace-exchange.ts';
