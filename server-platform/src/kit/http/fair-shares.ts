import PQueue from 'p-queue';

/** How much of something that all accounts use one of them may have. */
export interface FairShareOptions {
  /** Pieces of work of one account that run at a time. */
  readonly atOnce: number;
  /** More that wait; further ones fail. */
  readonly maxWaiting: number;
  /** The error of rejected calls. */
  readonly createRefusal: () => Error;
}

/** Runs a piece of work of an account. */
export type RunInShare = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** Limits each account to a share, so that an account whose work hangs does not affect the others. */
export function createFairShares({ atOnce, maxWaiting, createRefusal }: FairShareOptions): RunInShare {
  const queues = new Map<string, PQueue>();
  return async (accountId, work) => {
    const queue = queues.get(accountId) ?? new PQueue({ concurrency: atOnce });
    if (queue.pending >= atOnce && queue.size >= maxWaiting) throw createRefusal();
    queues.set(accountId, queue);
    try {
      return await queue.add(work);
    } finally {
      if (queue.size === 0 && queue.pending === 0) queues.delete(accountId);
    }
  };
}

/**
 * Takes a place in an account's share, and resolves with the function that gives it back. With the signal aborted the place
 * is returned automatically. Rejects with the refusal, or with the signal's reason while it waits.
 */
export function takePlace(
  runInShare: RunInShare,
  accountId: string,
  signal: AbortSignal,
): Promise<() => void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let leave = (): void => {};
    const left = new Promise<void>((done) => {
      leave = done;
    });
    const giveBack = (): void => {
      signal.removeEventListener('abort', onAbort);
      leave();
    };
    const onAbort = (): void => {
      giveBack();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    runInShare(accountId, async () => {
      resolve(giveBack);
      await left;
    }).catch(reject);
  });
}

/** Answers in an account's share: the place is given back when the body was read, or its reader has gone. */
export async function answerInShare(
  runInShare: RunInShare,
  accountId: string,
  signal: AbortSignal,
  answer: () => Promise<Response>,
): Promise<Response> {
  const giveBack = await takePlace(runInShare, accountId, signal);
  try {
    const response = await answer();
    const pipe = new TransformStream<Uint8Array, Uint8Array>();
    const body = response.body ?? new ReadableStream();
    body.pipeTo(pipe.writable, { signal }).then(giveBack, giveBack);
    return new Response(pipe.readable, response);
  } catch (error) {
    giveBack();
    throw error;
  }
}
