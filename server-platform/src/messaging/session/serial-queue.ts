/** Runs tasks one at a time, in the order of the calls. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves or rejects with the task. A rejection does not stop the tasks after it. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let finish: () => void = () => {};
    this.#last = new Promise((resolve) => {
      finish = resolve;
    });
    await before;
    try {
      return await task();
    } finally {
      finish();
    }
  }

  /** Resolves when every task accepted so far is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
