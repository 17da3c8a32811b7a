/** Remembers which sessions were logged out, for as long as a ticket of theirs could still be shown. */
export interface Revocations {
  /** Refuses every ticket of this session from now on, for at least `seconds`. */
  add(sessionId: string, seconds: number): Promise<void>;
  has(sessionId: string): Promise<boolean>;
}

// A log-out costs its caller a ticket, and tickets are limited; this only bounds what a flood could hold.
const MAX_ENTRIES = 100_000;

/** Remembers in this process's memory. Replicas need a shared store instead: see `revocations` in the README. */
export function createMemoryRevocations(nowMs: () => number): Revocations {
  // In the order of adding, which is the order of expiry as long as all live equally long.
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
