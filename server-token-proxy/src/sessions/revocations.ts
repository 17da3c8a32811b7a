/** Stores which sessions were logged out, as long as one of their tickets could still be used. */
export interface Revocations {
  /** Refuses every ticket of this session from now on, for at least `seconds`. */
  add(sessionId: string, seconds: number): Promise<void>;
  has(sessionId: string): Promise<boolean>;
}

// A logout requires a ticket, and tickets are limited; this only bounds the memory of a flood.
const MAX_ENTRIES = 100_000;

/** Stores them in this process's memory. Replicas need a shared store: see `revocations` in the README. */
export function createMemoryRevocations(nowMs: () => number): Revocations {
  // In the order of adding, which equals the order of expiry if all lifetimes are equal.
  const untilMs = new Map<string, number>();
  return {
    async add(sessionId, seconds) {
      for (const [id, endsAtMs] of untilMs) {
        if (endsAtMs > nowMs() && untilMs.size < MAX_ENTRIES) break;
        untilMs.delete(id);
      }
      untilMs.delete(sessionId);
      untilMs.set(sessionId, nowMs() + seconds * 1_000);
    },
    has: async (sessionId) => (untilMs.get(sessionId) ?? 0) > nowMs(),
  };
}
