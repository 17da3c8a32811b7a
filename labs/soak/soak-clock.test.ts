import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SoakClock } from './soak-clock.ts';

let clock: SoakClock;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  clock.close();
  vi.useRealTimers();
});

describe('the clock of the soak', () => {
  it('the clock of the soak runs fast while the platform answers', () => {
    clock = new SoakClock({ rate: 10 });
    const startedAtMs = clock.now();
    for (let answers = 0; answers < 100; answers++) {
      clock.markAnswered();
      vi.advanceTimersByTime(10);
    }
    expect(clock.now() - startedAtMs).toBe(10_000);
  });

  it('the clock of the soak runs in real time while the platform owes an answer', () => {
    clock = new SoakClock({ rate: 10 });
    const startedAtMs = clock.now();
    vi.advanceTimersByTime(1_000);
    expect(clock.now() - startedAtMs).toBe(1_000);
  });

  it('the clock of the soak keeps a time-out long enough for many late answers', async () => {
    clock = new SoakClock({ rate: 20 });
    let isOver = false;
    clock.setTimer(() => {
      isOver = true;
    }, 15_000);
    let answers = 0;
    while (!isOver) {
      clock.markAnswered();
      vi.advanceTimersByTime(100);
      answers += 1;
    }
    expect(answers).toBeGreaterThan(40);
  });

  it('the clock of the soak does not jump when its process has stalled', () => {
    clock = new SoakClock({ rate: 20 });
    clock.markAnswered();
    const startedAtMs = clock.now();
    // The time goes by and nothing runs.
    const until = performance.now() + 200;
    vi.spyOn(performance, 'now').mockReturnValue(until);
    expect(clock.now() - startedAtMs).toBe(5 * 20 + 195);
    vi.mocked(performance.now).mockRestore();
  });

  it('the clock of the soak follows another: never behind its last reported time, and only a little ahead', () => {
    const first = new SoakClock({ rate: 10, startMs: 5_000 });
    clock = new SoakClock({ rate: 10, startMs: first.now() });
    for (let answers = 0; answers < 10; answers++) {
      first.markAnswered();
      clock.markAnswered(first.now());
      vi.advanceTimersByTime(10);
    }
    expect([first.now(), clock.now()]).toEqual([6_000, 6_000]);
    // It stalls, and the other one does not.
    clock.markAnswered(9_000);
    expect(clock.now()).toBe(9_000);
    // It is ahead, and the other one stands still.
    clock.markAnswered(6_000);
    vi.advanceTimersByTime(100);
    expect(clock.now()).toBe(9_100);
    first.close();
  });

  it('the clock of the soak runs timers in the order of their times', () => {
    clock = new SoakClock({ rate: 10 });
    clock.markAnswered();
    const ran: string[] = [];
    clock.setTimer(() => ran.push('late'), 15);
    clock.setTimer(() => ran.push('early'), 5);
    clock.setTimer(() => ran.push('called off'), 10)();
    vi.advanceTimersByTime(10);
    expect(ran).toEqual(['early', 'late']);
  });
});
