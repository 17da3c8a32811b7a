import { createDice } from '../../soak/dice.ts';
import type { Amount, AttackContext, StackInfo } from '../attack.ts';

/** Options of one run of an attack. */
export interface ContextOptions {
  readonly stack: StackInfo;
  readonly seed: number;
  readonly isSmall: boolean;
  readonly milliseconds: number;
}

/** A context, and the outcomes that were counted in it. */
export interface CountingContext {
  readonly context: AttackContext;
  readonly outcomes: ReadonlyMap<string, number>;
  /** Ends the attack's time. */
  stop(): void;
}

/** Makes the context of one run. Its time begins now. */
export function createContext(options: ContextOptions): CountingContext {
  const { stack, seed, isSmall, milliseconds } = options;
  const dice = createDice(seed);
  const outcomes = new Map<string, number>();
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), milliseconds);
  const pick = (amount: Amount): number => (isSmall ? amount.small : amount.full);
  const context: AttackContext = {
    stack,
    dice,
    isSmall,
    signal: end.signal,
    pick,
    // Linux accepts every address of 127.0.0.0/8 without set-up, so that limits per address see many peers.
    nextAddress: () => `127.66.${dice.between(0, 255)}.${dice.between(1, 254)}`,
    count(outcome, times = 1) {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + times);
    },
    async repeat(lanes, times, work) {
      const limit = pick(times);
      let begun = 0;
      const lane = async (): Promise<void> => {
        while (begun < limit && !end.signal.aborted) {
          begun += 1;
          await work(begun - 1);
        }
      };
      await Promise.all(Array.from({ length: Math.min(lanes, limit) }, lane));
    },
    pause: (delayMs) => pauseUntil(delayMs, end.signal),
  };
  return {
    context,
    outcomes,
    stop() {
      clearTimeout(timer);
      end.abort();
    },
  };
}

function pauseUntil(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    signal.addEventListener('abort', finish);
  });
}
