/** How long an agent waits for its endpoint, in milliseconds. */
export interface EndpointTimeouts {
  /** From sending a request to the first byte of its answer's body. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  /** For the whole turn: all requests and retries together. */
  readonly totalMs: number;
}

/** Retries of requests that failed before their answer started. */
export interface EndpointRetries {
  /** Total attempts, including the first. */
  readonly maxAttempts: number;
  /** First pause; doubles each time, and varies by a quarter so that many conversations do not retry at once. */
  readonly baseDelayMs: number;
  /** Longest pause. An endpoint with a longer `Retry-After` is overloaded: the turn fails at once. */
  readonly maxDelayMs: number;
}

/** Default limits. */
export const ENDPOINT_DEFAULTS: {
  readonly timeouts: EndpointTimeouts;
  readonly retries: EndpointRetries;
} = {
  // Visitors leave after some 20 s of silence; a large model on a busy host needs up to 15 s for its first token.
  timeouts: { firstByteMs: 15_000, idleMs: 10_000, totalMs: 60_000 },
  retries: { maxAttempts: 3, baseDelayMs: 500, maxDelayMs: 5_000 },
};
