/** OpenTelemetry traces: spans through its API, and the SDK where the environment names a collector. */
export { startTracing } from './start-tracing.ts';
export { type OpenSpan, TraceContext } from './trace-context.ts';
