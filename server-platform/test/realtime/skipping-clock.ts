import type { Clock } from '../../src/kit/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
  cancel: () => void;
}

/** A clock that runs in real time, and can be put forward and held. */
export interface SkippingClock extends Clock {
  /** Holds the clock, so that only `skip` moves it, until the returned function is called: a limit per second counts alike on every machine. */
  hold(): () => void;
  /** Puts the clock forward: what falls due meanwhile happens now, in order. */
  skip(byMs: number): void;
}

/** Makes a clock that starts at the machine's time. */
export function createSkippingClock(): SkippingClock {
  let offsetMs = 0;
  let heldAtMs: number | null = null;
  const timers = new Set<Timer>();
  const now = (): number => (heldAtMs ?? Date.now()) + offsetMs;
  const arm = (timer: Timer): void => {
    timer.cancel();
    if (heldAtMs !== null) return;
    const handle = setTimeout(() => fire(timer), Math.max(timer.dueMs - now(), 0));
    handle.unref();
    timer.cancel = () => clearTimeout(handle);
  };
  const fire = (timer: Timer): void => {
    timer.cancel();
    if (timers.delete(timer)) timer.callback();
  };
  return {
    now,
    setTimer(callback, delayMs) {
      const timer: Timer = { dueMs: now() + delayMs, callback, cancel: () => {} };
      timers.add(timer);
      arm(timer);
      return () => {
        timer.cancel();
        timers.delete(timer);
      };
    },
    hold() {
      heldAtMs ??= Date.now();
      for (const timer of timers) timer.cancel();
      return () => {
        if (heldAtMs === null) return;
        offsetMs -= Date.now() - heldAtMs;
        heldAtMs = null;
        for (const timer of timers) arm(timer);
      };
    },
    skip(byMs) {
      offsetMs += byMs;
      const due = [...timers].filter(({ dueMs }) => dueMs <= now()).sort((a, b) => a.dueMs - b.dueMs);
      for (const timer of due) fire(timer);
      for (const timer of timers) arm(timer);
    },
  };
}
