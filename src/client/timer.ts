import type { ClockPort } from './ports.ts';

/** Holds one callback at a time: setting it replaces the previous one. */
export interface Timer {
  readonly isSet: boolean;
  set(delayMs: number, callback: () => void): void;
  clear(): void;
}

export function createTimer(clock: ClockPort): Timer {
  let cancel: (() => void) | null = null;
  const clear = (): void => {
    cancel?.();
    cancel = null;
  };
  return {
    get isSet() {
      return cancel !== null;
    },
    set(delayMs, callback) {
      clear();
      cancel = clock.setTimer(() => {
        cancel = null;
        callback();
      }, delayMs);
    },
    clear,
  };
}
