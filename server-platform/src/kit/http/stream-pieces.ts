import PQueue from 'p-queue';

/** Runs pieces of work one at a time, in order. */
export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a queue that runs one piece of work at a time, and lets other events run in between. */
export function createRunExclusive(): RunExclusive {
  const queue = new PQueue({ concurrency: 1 });
  return (work) =>
    queue.add(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return await work();
    });
}

/**
 * Streams pieces of a text or file as a response body while they are generated. With `runExclusive`, streams that share it generate
 * one piece at a time.
 */
export function streamPieces(
  pieces: AsyncGenerator<string | Uint8Array, void, undefined>,
  runExclusive: RunExclusive = (work) => work(),
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      await runExclusive(async () => {
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
      });
    },
    async cancel() {
      await pieces.return();
    },
  });
}
