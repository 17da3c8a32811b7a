import PQueue from 'p-queue';

/** One account's share of a common resource. */
export interface FairShareOptions {
  /** Concurrent pieces of work per account. */
  readonly atOnce: number;
  /** Queued pieces of work per account; further ones are refused. */
  readonly maxWaiting: number;
  /** The error of rejected calls. */
  readonly createRefusal: () => Error;
}

/** Runs a piece of work in an account's share. */
export type RunInShare = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** Limits each account to a share, so that hanging work of one account does not affect the others. */
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
 * Reserves a slot in an account's share, and resolves with the function that releases it. An aborted signal also
 * releases the slot. Rejects with the refusal, or with the signal's reason while waiting.
 */
export function acquireSlot(
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
    const release = (): void => {
      signal.removeEventListener('abort', onAbort);
      leave();
    };
    const onAbort = (): void => {
      release();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    runInShare(accountId, async () => {
      resolve(release);
      await left;
    }).catch(reject);
  });
}

/** Responds within an account's share: the slot is released when the body was read or its reader has disconnected. */
export async function answerInShare(
  runInShare: RunInShare,
  accountId: string,
  signal: AbortSignal,
  answer: () => Promise<Response>,
): Promise<Response> {
  const release = await acquireSlot(runInShare, accountId, signal);
  try {
    const response = await answer();
    const pipe = new TransformStream<Uint8Array, Uint8Array>();
    const body = response.body ?? new ReadableStream();
    body.pipeTo(pipe.writable, { signal }).then(release, release);
    return new Response(pipe.readable, response);
  } catch (error) {
    release();
    throw error;
  }
}
