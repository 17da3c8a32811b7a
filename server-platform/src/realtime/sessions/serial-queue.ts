/** Runs tasks in the order of the calls, one at a time, or concurrently where they allow it. */
export class SerialQueue {
  /** Settles when every task so far has finished. */
  #last: Promise<void> = Promise.resolve();
  /** Settles when the last task has finished or allows the next ones to begin. */
  #entry: Promise<void> = Promise.resolve();

  /** Runs a task and settles with its result. A rejection does not stop later tasks. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve: finish } = createSignal();
    this.#last = promise;
    this.#entry = promise;
    await before;
    try {
      return await task();
    } finally {
      finish();
    }
  }

  /**
   * Runs a task that may begin before earlier tasks have finished. `begin` starts it, or returns `null` when it cannot
   * start yet; it resolves with false when the task could not be completed this way. In both cases `task` then runs as
   * with {@link run}, at the call's place in the order.
   */
  async runBeside(begin: () => Promise<boolean> | null, task: () => Promise<void>): Promise<void> {
    const before = this.#last;
    const entry = this.#entry;
    const { promise: entered, resolve: enter } = createSignal();
    const { promise: finished, resolve: finish } = createSignal();
    this.#entry = entered;
    this.#last = finished;
    await entry;
    try {
      const begun = begin();
      if (begun !== null) enter();
      if (begun !== null && (await begun)) return;
      // Later tasks wait for this one and for those that began with it.
      this.#entry = this.#last;
      await before;
      await task();
    } finally {
      enter();
      void before.then(finish);
    }
  }

  /** Resolves when every task accepted so far is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

function createSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
