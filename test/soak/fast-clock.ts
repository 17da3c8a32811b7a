import type { ClockPort } from '../../src/client/index.ts';

/** A clock that runs `speed` times as fast as the machine's, so that half a minute of back-off takes a second. */
export function createFastClock(speed: number): ClockPort {
  const startedAtMs = Date.now();
  const startedAt = performance.now();
  return {
    now: () => Math.round(startedAtMs + (performance.now() - startedAt) * speed),
    setTimer(callback, delayMs) {
      const timer = setTimeout(callback, delayMs / speed);
      return () => clearTimeout(timer);
    },
  };
}
