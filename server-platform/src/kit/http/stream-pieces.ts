import PQueue from 'p-queue';

/** Lets one after the other of those who wait do a piece of work. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a queue in which one piece of work is done at a time, with everything else that has come since in between. */
export function takeTurns(): TakeTurn {
  const queue = new PQueue({ concurrency: 1 });
  return (work) =>
    queue.add(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return await work();
    });
}

/**
 * Returns pieces of a text as the body of a response, which is sent while they are made. With `takeTurn`, streams that share
 * it make one piece at a time.
 */
export function streamPieces(
  pieces: AsyncGenerator<string, void, undefined>,
  takeTurn: TakeTurn = (work) => work(),
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      await takeTurn(async () => {
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      });
    },
    async cancel() {
      await pieces.return();
    },
  });
}
