/** How long an agent waits for its endpoint, in milliseconds. */
export interface EndpointTimeouts {
  /** From sending a request to the first byte of its answer's body. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  /** For the whole turn: all requests and retries together. */
  readonly totalMs: number;
}

/** How requests that failed before their answer began are tried again. */
export interface EndpointRetries {
  /** Tries in all, the first one included. */
  readonly maxAttempts: number;
  /** First pause; doubles each time, and varies by a quarter so that many conversations do not come back at once. */
  readonly baseDelayMs: number;
  /** The longest pause. An endpoint whose `Retry-After` asks for more is overloaded: the turn fails at once. */
  readonly maxDelayMs: number;
}

/** The limits of an agent whose configuration names none. */
export const ENDPOINT_DEFAULTS: {
  readonly timeouts: EndpointTimeouts;
  readonly retries: EndpointRetries;
} = {
  // Visitors leave after some 20 s of silence; a large model on a busy host needs up to 15 s for its first token.
  timeouts: { firstByteMs: 15_000, idleMs: 10_000, totalMs: 60_000 },
  retries: { maxAttempts: 3, baseDelayMs: 500, maxDelayMs: 5_000 },
};
