/** Runs tasks in the order of the calls, one at a time or, where they can, side by side. */
export class SerialQueue {
  /** Every task so far is done. */
  #last: Promise<void> = Promise.resolve();
  /** The last task is done, or lets those after it begin. */
  #entry: Promise<void> = Promise.resolve();

  /** Resolves or rejects with the task. A rejection does not stop the tasks after it. */
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
   * Runs a task that may not need those before it to be done, only begun. `begin` begins it, or returns `null` when it
   * cannot begin yet; it resolves with false when the task is not done and cannot be done this way. In both cases `task`
   * runs as with {@link run}, in the place that the call has in the order.
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
      // Those that come from now on wait for this one, and for those that were begun with it.
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
