// The package's main file loads the adapters of every store, and with them Node's `cluster`; this file of it runs
// anywhere. The package has no declarations, so the two members used here are declared.
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  export default class RateLimiterMemory {
    constructor(options: { readonly points: number; readonly duration: number });
    /** Rejects with `{ msBeforeNext }` when the key has reached its limit. */
    consume(key: string): Promise<unknown>;
  }
}
