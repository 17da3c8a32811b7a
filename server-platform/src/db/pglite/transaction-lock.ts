/**
 * Delays single statements while a transaction has the only connection. Not a read-write lock, because that would make
 * a transaction wait for the results of earlier statements, which the connection runs in order anyway.
 *
 * First come, first served: a statement waits for transactions requested before it, not for later ones, so that a
 * series of transactions does not block everything else.
 */
export class TransactionLock {
  /** Settles with the last requested transaction. */
  #last: Promise<void> = Promise.resolve();
  #isHeld = false;
  /** Statements requested after that transaction; the next transaction waits for them. */
  #since = new Set<Promise<void>>();

  /** Runs `body` at once while no transaction is open or waiting, otherwise after those. */
  async runShared<T>(body: () => Promise<T>): Promise<T> {
    if (!this.#isHeld) return await body();
    const since = this.#since;
    const run = this.#last.then(body);
    const ended = run.then(ignore, ignore).then(() => void since.delete(ended));
    since.add(ended);
    return await run;
  }

  /** Runs `body` exclusively. */
  async runExclusive<T>(body: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const since = this.#since;
    const wasHeld = this.#isHeld;
    this.#isHeld = true;
    let open: () => void = ignore;
    const mine = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#last = mine;
    this.#since = new Set();
    if (wasHeld) await before;
    // These began when the previous transaction ended; until they settle, their statements must not mix with this
    // one's.
    if (since.size > 0) await Promise.all(since);
    try {
      return await body();
    } finally {
      if (this.#last === mine) this.#isHeld = false;
      open();
    }
  }
}

function ignore(): void {}
