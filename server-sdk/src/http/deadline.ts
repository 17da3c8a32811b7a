import type { Clock } from './clock.ts';

/** A restartable time limit, combined with the caller's signal. */
export interface Deadline {
  /** Aborted at the time limit or by the caller. */
  readonly signal: AbortSignal;
  readonly hasExpired: () => boolean;
  /** Starts the full time again. */
  readonly restart: () => void;
  /** Stops the time until `restart`; the caller's signal keeps working. */
  readonly pause: () => void;
  /** Releases the timer and the caller's signal. */
  readonly clear: () => void;
}

/** Starts a time limit of `timeoutMs`. */
export function startDeadline(clock: Clock, timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let isExpired = false;
  let stopTimer = (): void => {};
  const onAbort = (): void => controller.abort(outer?.reason);
  const restart = (): void => {
    stopTimer();
    stopTimer = clock.startTimer(timeoutMs, () => {
      isExpired = true;
      controller.abort();
    });
  };
  if (outer?.aborted) onAbort();
  else outer?.addEventListener('abort', onAbort, { once: true });
  restart();
  return {
    signal: controller.signal,
    hasExpired: () => isExpired,
    restart,
    pause: () => stopTimer(),
    clear: () => {
      stopTimer();
      outer?.removeEventListener('abort', onAbort);
    },
  };
}
