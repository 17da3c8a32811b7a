/**
 * Keeps single statements back while a transaction has the only connection. By hand, because a read-write lock would make
 * a transaction wait for the answers of the statements before it; the connection runs them in order anyway.
 *
 * Between two transactions all statements go that came meanwhile: one waits for the transaction that is open and not for
 * those that wait as well, so that a row of transactions does not hold up everything else.
 */
export class TransactionLock {
  #isHeld = false;
  readonly #statements: (() => void)[] = [];
  readonly #transactions: (() => void)[] = [];
  /** Statements that were let go after a transaction and are not answered yet. */
  readonly #passing = new Set<Promise<void>>();

  /** Runs `body` at once while no transaction is open or about to begin, else after that one. */
  async runShared<T>(body: () => Promise<T>): Promise<T> {
    if (!this.#isHeld) return await body();
    let letGo: () => void = ignore;
    const run = new Promise<void>((resolve) => {
      letGo = resolve;
    }).then(body);
    const ended = run.then(ignore, ignore).then(() => void this.#passing.delete(ended));
    this.#statements.push(() => {
      this.#passing.add(ended);
      letGo();
    });
    return await run;
  }

  /** Runs `body` alone. */
  async runExclusive<T>(body: () => Promise<T>): Promise<T> {
    if (this.#isHeld) await new Promise<void>((resolve) => this.#transactions.push(resolve));
    this.#isHeld = true;
    // Until they are answered, none of theirs may come within this one.
    if (this.#passing.size > 0) await Promise.all(this.#passing);
    try {
      return await body();
    } finally {
      this.#handOn();
    }
  }

  #handOn(): void {
    for (const letGo of this.#statements.splice(0)) letGo();
    const next = this.#transactions.shift();
    // Stays held for the next one, which takes over in a later microtask.
    if (next === undefined) this.#isHeld = false;
    else next();
  }
}

function ignore(): void {}
