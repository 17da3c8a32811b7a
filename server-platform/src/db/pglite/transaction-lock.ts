/**
 * Keeps single statements back while a transaction has the only connection. By hand, because a read-write lock would make
 * a transaction wait for the answers of the statements before it; the connection runs them in order anyway.
 */
export class TransactionLock {
  #last: Promise<void> = Promise.resolve();
  #isHeld = false;

  /** Runs `body` at once while no transaction is open or waiting, else after it. */
  async runShared<T>(body: () => Promise<T>): Promise<T> {
    while (this.#isHeld) await this.#last;
    return await body();
  }

  /** Runs `body` alone. */
  async runExclusive<T>(body: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const wasHeld = this.#isHeld;
    this.#isHeld = true;
    let open: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#last = mine;
    if (wasHeld) await before;
    try {
      return await body();
    } finally {
      if (this.#last === mine) this.#isHeld = false;
      open();
    }
  }
}
