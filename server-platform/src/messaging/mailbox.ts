/** Runs pieces of work one after the other, in the order in which they were handed in. */
export interface Mailbox {
  /** Resolves or rejects with what the work does. A rejection does not stop what comes after. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when everything handed in so far is done. */
  idle(): Promise<void>;
}

/** Makes an empty mailbox. */
export function createMailbox(): Mailbox {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const done = last.then(work);
      // Whoever handed the work in gets the rejection; the next piece only waits for the end.
      last = done.then(
        () => {},
        () => {},
      );
      return done;
    },
    async idle() {
      await last;
    },
  };
}
