import { describe, expect, it } from 'vitest';
import { RetryLater } from './retry-later.ts';
import { sweepItems } from './sweep-items.ts';

describe('the items of a sweep', () => {
  it('handles every item of a sweep although one fails, and retries that one after a pause that doubles', async () => {
    let nowMs = 0;
    const later = new RetryLater<string>({ clock: { now: () => nowMs }, firstMs: 1_000, longestMs: 4_000 });
    const tried: string[] = [];
    const failures: string[] = [];
    const sweep = (): Promise<void> =>
      sweepItems(['a', 'bad', 'c'], {
        later,
        atOnce: 2,
        async work(item) {
          tried.push(item);
          if (item === 'bad') throw new Error('broken');
        },
        onFailure: (error, item) => failures.push(`${item}: ${String(error)}`),
      });
    await sweep();
    expect(tried.sort()).toEqual(['a', 'bad', 'c']);
    expect(failures).toEqual(['bad: Error: broken']);
    expect(later.resting).toEqual(['bad']);
    for (const [afterMs, isTried] of [
      [999, false],
      [1_000, true],
      [2_999, false],
      [3_000, true],
      [6_999, false],
      [7_000, true],
      [10_999, false],
      [11_000, true],
    ] as const) {
      nowMs = afterMs;
      tried.splice(0);
      await sweep();
      expect([afterMs, tried.includes('bad')]).toEqual([afterMs, isTried]);
    }
  });

  it('ends the pause of an item that succeeds, and forgets the oldest of too many failed items', async () => {
    const later = new RetryLater<number>({ clock: { now: () => 0 }, maxKeys: 2 });
    for (const key of [1, 2, 3]) later.noteFailure(key);
    expect(later.resting).toEqual([2, 3]);
    later.noteSuccess(2);
    expect(later.resting).toEqual([3]);
  });
});
