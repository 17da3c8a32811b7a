/**
 * Keeps single statements back while a transaction has the only connection. By hand, because a read-write lock would make
 * a transaction wait for the answers of the statements before it; the connection runs them in order anyway.
 *
 * First come, first served: a statement waits for transactions that were requested before it, not for later ones
 * after it, so that a row of transactions does not hold up everything else.
 */
export class TransactionLock {
  /** Ends with the transaction that was asked for last. */
  #last: Promise<void> = Promise.resolve();
  #isHeld = false;
  /** Statements that were asked for after that transaction: the next one comes after them. */
  #since = new Set<Promise<void>>();

  /** Runs `body` at once while no transaction is open or waiting, else after those. */
  async runShared<T>(body: () => Promise<T>): Promise<T> {
    if (!this.#isHeld) return await body();
    const since = this.#since;
    const run = this.#last.then(body);
    const ended = run.then(ignore, ignore).then(() => void since.delete(ended));
    since.add(ended);
    return await run;
  }

  /** Runs `body` alone. */
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
    // They were let go with the transaction before; until they are answered, none of theirs may come within this one.
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
