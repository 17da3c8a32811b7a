/** What happened to a session, beyond what is stored. */
export { codeOf, type FrameOutcome, type SessionFact } from './session-fact.ts';
export { type SessionTrace, SessionTraces, TRACE_LIMITS, type TraceEntry } from './session-traces.ts';
