import { createRunExclusive, type RunExclusive } from '../../kit/http/index.ts';

/**
 * A queue of requests for visitors' stored data, which run one at a time: each makes several statements, and a download
 * buffers pieces of about 100 kB. Slots per caller are limited, so that one caller's flood delays others by those slots
 * only.
 */
export class VisitorDataQueue {
  readonly runExclusive: RunExclusive = createRunExclusive();
  readonly #slotsPerCaller: number;
  readonly #slots = new Map<string, number>();

  constructor(slotsPerCaller: number) {
    this.#slotsPerCaller = slotsPerCaller;
  }

  /** Runs `work` when its turn comes. Resolves with `null` immediately when the caller has no slot left. */
  async wait<T>(caller: string, work: () => Promise<T>): Promise<T | null> {
    const taken = this.#slots.get(caller) ?? 0;
    if (taken >= this.#slotsPerCaller) return null;
    this.#slots.set(caller, taken + 1);
    try {
      return await this.runExclusive(work);
    } finally {
      const left = (this.#slots.get(caller) ?? 1) - 1;
      if (left === 0) this.#slots.delete(caller);
      else this.#slots.set(caller, left);
    }
  }
}
