import type { Clock } from './clock.ts';

/**
 * Runs work again and again, `delayMs` after it was last done and never twice at once. The returned function ends that.
 * The work must not reject.
 */
export function repeatEvery(clock: Clock, delayMs: number, work: () => Promise<void>): () => void {
  let isStopped = false;
  let cancel: () => void = () => {};
  const schedule = (): void => {
    cancel = clock.setTimer(() => {
      void work().finally(() => {
        if (!isStopped) schedule();
      });
    }, delayMs);
  };
  schedule();
  return () => {
    isStopped = true;
    cancel();
  };
}
