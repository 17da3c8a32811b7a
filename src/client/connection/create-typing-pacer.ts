import type { TypingState } from '../../protocol/index.ts';
import type { ClockPort } from '../ports.ts';
import { createTimer } from '../timer.ts';

/** Source: messaging.md 6.3. */
const STARTED_EVERY_MS = 3_000;
const STOPPED_AFTER_MS = 5_000;

/** Reduces key presses to a few typing events. */
export interface TypingPacer {
  /** A key stroke. */
  notify(): void;
  /** Resets without an event, for a connection that is closed. */
  reset(): void;
}

/** `send` returns whether there was an open socket. */
export function createTypingPacer(clock: ClockPort, send: (state: TypingState) => boolean): TypingPacer {
  const stopTimer = createTimer(clock);
  let startedAtMs = -Infinity;
  let typedAtMs = 0;
  // A key stroke sets no timer while one is running, because that would be its most expensive step.
  const waitForStop = (delayMs: number): void =>
    stopTimer.set(delayMs, () => {
      const leftMs = typedAtMs + STOPPED_AFTER_MS - clock.now();
      if (leftMs > 0) {
        waitForStop(leftMs);
        return;
      }
      reset();
      send('TYPING_STATE_STOPPED');
    });
  const reset = (): void => {
    stopTimer.clear();
    startedAtMs = -Infinity;
  };
  return {
    notify() {
      const nowMs = clock.now();
      if (nowMs - startedAtMs >= STARTED_EVERY_MS) {
        if (!send('TYPING_STATE_STARTED')) {
          reset();
          return;
        }
        startedAtMs = nowMs;
      }
      typedAtMs = nowMs;
      if (!stopTimer.isSet) waitForStop(STOPPED_AFTER_MS);
    },
    reset,
  };
}
