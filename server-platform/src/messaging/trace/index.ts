/** What happened to a session, beyond what is stored. */
export { codeOf, type FrameOutcome, type SessionFact } from './session-fact.ts';
export { SessionTraces, type TraceEntry } from './session-traces.ts';
export {
  answerTraces,
  createTraceReader,
  listLeasedNodes,
  type NodeTrace,
  type ReadTraces,
  type TraceAnswers,
} from './trace-exchange.ts';
