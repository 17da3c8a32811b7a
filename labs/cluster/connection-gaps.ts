/** The times in which visitors had a connection, lost it, and were without one. */
export class ConnectionGaps {
  /** Visitors whose client has given up at any time, until they press its button. */
  readonly gaveUp = new Set<number>();
  readonly #since = new Map<number, number>();
  #lengthsMs: number[] = [];

  /** A connection has changed. What comes before the first one is open is no gap. */
  note(visitor: number, status: string): void {
    const since = this.#since.get(visitor);
    if (status === 'failed') this.gaveUp.add(visitor);
    if (status === 'open') {
      if (since !== undefined) this.#lengthsMs.push(performance.now() - since);
      this.#since.delete(visitor);
    } else if (status === 'reconnecting' && since === undefined) this.#since.set(visitor, performance.now());
  }

  /** Forgets all gaps that are over. */
  clear(): void {
    this.#lengthsMs = [];
  }

  /** Their lengths in milliseconds, the longest first; those that last still, until now. */
  get lengthsMs(): readonly number[] {
    const now = performance.now();
    return [...this.#lengthsMs, ...[...this.#since.values()].map((since) => now - since)].sort(
      (a, b) => b - a,
    );
  }
}
