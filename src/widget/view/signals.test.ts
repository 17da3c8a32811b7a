import * as library from '@preact/signals-core';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as ours from './signals.ts';

// The same tests for the library and for what stands in for it: a difference between them is a defect of ours.
describe.each([
  {
    name: 'the library',
    signal: library.signal,
    computed: library.computed,
    effect: library.effect,
    batch: library.batch,
  },
  {
    name: 'what stands in for it',
    signal: ours.signal,
    computed: ours.computed,
    effect: ours.effect,
    batch: ours.batch,
  },
])('signals of $name', ({ signal, computed, effect, batch }) => {
  it('run an effect at once, and again for every other value', () => {
    const one = signal(1);
    const seen: number[] = [];
    const stop = effect(() => void seen.push(one.value));
    one.value = 2;
    one.value = 2;
    one.value = 3;
    stop();
    one.value = 4;
    expect(seen).toEqual([1, 2, 3]);
    expect(one.peek()).toBe(4);
  });

  it('compute a value when it is read, and once per change', () => {
    const one = signal(1);
    const double = vi.fn(() => one.value * 2);
    const twice = computed(double);
    expect(double).not.toHaveBeenCalled();
    expect([twice.value, twice.value, twice.peek()]).toEqual([2, 2, 2]);
    expect(double).toHaveBeenCalledTimes(1);
    signal(0).value = 1;
    expect(twice.value).toBe(2);
    expect(double).toHaveBeenCalledTimes(1);
    one.value = 5;
    expect(twice.value).toBe(10);
    expect(double).toHaveBeenCalledTimes(2);
  });

  it('tell nobody of a computed value that stays what it is', () => {
    const one = signal(1);
    const isOdd = computed(() => one.value % 2 === 1);
    const label = computed(() => (isOdd.value ? 'odd' : 'even'));
    const act = vi.fn(() => void label.value);
    effect(act);
    one.value = 3;
    expect(act).toHaveBeenCalledTimes(1);
    one.value = 4;
    expect(act).toHaveBeenCalledTimes(2);
    expect(label.value).toBe('even');
  });

  it('run an effect once where two ways lead to it', () => {
    const one = signal(1);
    const left = computed(() => one.value + 1);
    const right = computed(() => one.value * 10);
    const seen: number[] = [];
    effect(() => void seen.push(left.value + right.value));
    one.value = 2;
    expect(seen).toEqual([12, 23]);
  });

  it('watch what was read the last time only', () => {
    const isFirst = signal(true);
    const first = signal('a');
    const second = signal('b');
    const act = vi.fn(() => void (isFirst.value ? first.value : second.value));
    effect(act);
    second.value = 'c';
    expect(act).toHaveBeenCalledTimes(1);
    isFirst.value = false;
    first.value = 'd';
    expect(act).toHaveBeenCalledTimes(2);
    second.value = 'e';
    expect(act).toHaveBeenCalledTimes(3);
  });

  it('let effects see a batch in one step, with what was computed in it', () => {
    const one = signal(1);
    const sum = computed(() => one.value + two.value);
    const two = signal(2);
    const seen: number[] = [];
    effect(() => void seen.push(sum.value));
    const inside = batch(() => {
      one.value = 10;
      two.value = 20;
      return batch(() => sum.value);
    });
    expect(inside).toBe(30);
    expect(seen).toEqual([3, 30]);
  });

  it('clean up before the next time and at the end, and watch nothing meanwhile', () => {
    const one = signal(1);
    const other = signal(0);
    const said: string[] = [];
    const stop = effect(() => {
      const { value } = one;
      said.push(`begin ${value}`);
      return () => void said.push(`end ${value} ${other.value}`);
    });
    one.value = 2;
    other.value = 1;
    stop();
    stop();
    expect(said).toEqual(['begin 1', 'end 1 0', 'begin 2', 'end 2 1']);
  });

  it('let an effect change what it reads, and end itself', () => {
    const count = signal(0);
    effect(() => {
      if (count.value < 5) count.value += 1;
    });
    expect(count.value).toBe(5);
    const act = vi.fn((end: (() => void) | undefined) => {
      if (count.value > 5) end?.();
    });
    let stop: (() => void) | undefined;
    stop = effect(() => act(stop));
    count.value = 6;
    count.value = 7;
    expect(act).toHaveBeenCalledTimes(2);
  });

  it('give up on effects that change each other for ever', () => {
    const one = signal(0);
    expect(() =>
      effect(() => {
        one.value += 1;
      }),
    ).toThrow();
  });

  it('let an effect make another, which outlives it', () => {
    const outer = signal(0);
    const inner = signal(0);
    const seen: string[] = [];
    const stop = effect(() => {
      const { value } = outer;
      if (value === 0) effect(() => void seen.push(`inner ${inner.value}`));
      seen.push(`outer ${value}`);
    });
    inner.value = 1;
    outer.value = 1;
    stop();
    inner.value = 2;
    expect(seen).toEqual(['inner 0', 'outer 0', 'inner 1', 'outer 1', 'inner 2']);
  });

  it('watch nothing for whoever peeks', () => {
    const one = signal(1);
    const act = vi.fn(() => void one.peek());
    effect(act);
    one.value = 2;
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('pass on what a computation throws, until it goes well again', () => {
    const one = signal(1);
    const careful = computed(() => {
      if (one.value === 2) throw new Error('two');
      return one.value;
    });
    const seen: unknown[] = [];
    effect(() => {
      try {
        seen.push(careful.value);
      } catch (error) {
        seen.push(error instanceof Error ? error.message : error);
      }
    });
    one.value = 2;
    expect(() => careful.value).toThrow('two');
    one.value = 1;
    one.value = 3;
    expect(seen).toEqual([1, 'two', 1, 3]);
  });

  it('end an effect that fails the first time; later the others run, and the failure is thrown', () => {
    const one = signal(0);
    const failing = vi.fn(() => {
      if (one.value === 0) throw new Error('first');
    });
    expect(() => effect(failing)).toThrow('first');
    const seen: number[] = [];
    effect(() => {
      if (one.value === 1) throw new Error('later');
    });
    effect(() => void seen.push(one.value));
    expect(() => (one.value = 1)).toThrow('later');
    one.value = 2;
    expect(seen).toEqual([0, 1, 2]);
    expect(failing).toHaveBeenCalledTimes(1);
  });

  it('know what has changed while nobody watched', () => {
    const one = signal(1);
    const inner = computed(() => one.value * 2);
    const outer = computed(() => inner.value + 1);
    const stop = effect(() => void outer.value);
    stop();
    one.value = 5;
    expect(outer.value).toBe(11);
    const seen: number[] = [];
    effect(() => void seen.push(outer.value));
    one.value = 6;
    expect(seen).toEqual([11, 13]);
  });
});

it('come to the same values and the same runs in any web of them', () => {
  const step = fc.oneof(
    fc.record({ set: fc.nat(3), to: fc.nat(2) }),
    fc.record({ read: fc.nat(7) }),
    fc.record({ watch: fc.nat(7) }),
    fc.record({ end: fc.nat(4) }),
  );
  const nodes = fc.array(fc.tuple(fc.nat(30), fc.nat(30), fc.nat(2)), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(nodes, fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 12 }), (shape, batches) => {
      const play = (
        kind: Pick<typeof ours, 'signal' | 'computed' | 'effect' | 'batch'>,
      ): readonly string[] => {
        const said: string[] = [];
        const sources = [0, 1, 2, 3].map((value) => kind.signal(value));
        const all: { readonly value: number | undefined }[] = [...sources];
        for (const [first, second, rule] of shape) {
          const one = all[first % all.length];
          const two = all[second % all.length];
          // By the first one's value the second is read or not.
          all.push(
            kind.computed(() => ((one?.value ?? 0) > rule ? (one?.value ?? 0) : (two?.value ?? 0) % 3)),
          );
        }
        const stops: (() => void)[] = [];
        for (const steps of batches)
          kind.batch(() => {
            for (const each of steps) {
              if ('set' in each) (sources[each.set] ?? { value: 0 }).value = each.to;
              else if ('read' in each) said.push(`read ${all[each.read]?.value}`);
              else if ('watch' in each) {
                let last: string | null = null;
                stops.push(
                  kind.effect(() => {
                    const now = `effect on ${each.watch}: ${all[each.watch]?.value}`;
                    // The library does not run one for a value that a batch has brought back to what it was.
                    if (now !== last) said.push(now);
                    last = now;
                  }),
                );
              } else stops[each.end]?.();
            }
          });
        return said;
      };
      // In which order effects run is nobody's business.
      const sorted = (said: readonly string[]): readonly string[] => said.toSorted();
      expect(sorted(play(ours))).toEqual(sorted(play(library as unknown as typeof ours)));
    }),
    { numRuns: 2_000 },
  );
});
