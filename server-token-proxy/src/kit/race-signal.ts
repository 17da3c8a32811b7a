/**
 * Settles like `work`, but rejects with the signal's reason as soon as the signal aborts. A late failure of `work` is
 * ignored.
 */
export async function raceSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    stop = () => signal.removeEventListener('abort', onAbort);
  });
  // Promise.race handles both promises, so neither can become an unhandled rejection after the other has won.
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop();
  }
}
