/**
 * Lets single statements through in order, and keeps them out while a transaction has the only connection.
 */
export class Gate {
  #last: Promise<void> = Promise.resolve();
  #isHeld = false;

  /** Runs `body` at once while no transaction is open or waiting, else after it. */
  async pass<T>(body: () => Promise<T>): Promise<T> {
    while (this.#isHeld) await this.#last;
    return await body();
  }

  /** Runs `body` alone. */
  async hold<T>(body: () => Promise<T>): Promise<T> {
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
