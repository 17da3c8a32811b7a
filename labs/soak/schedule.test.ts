import { describe, expect, it } from 'vitest';
import { buildSchedule, FAULT_KINDS, SEEDS_PER_ROUND } from './schedule.ts';

describe('a schedule', () => {
  it('a schedule is the same for the same seed, and another for another', () => {
    expect(buildSchedule(42)).toEqual(buildSchedule(42));
    expect(buildSchedule(42)).not.toEqual(buildSchedule(43));
  });

  it('a schedule has several tabs on request, as every one in a browser has', () => {
    for (let seed = 0; seed < 100; seed++) {
      const { tabs, steps } = buildSchedule(seed, { hasSeveralTabs: true });
      expect(tabs).toBeGreaterThan(1);
      expect(steps.filter((step) => step.do === 'open tab')).toHaveLength(tabs - 1);
    }
  });

  it('a schedule orders its steps by time and ends with all conditions lifted', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { steps, durationMs } = buildSchedule(seed);
      const times = steps.map(({ atMs }) => atMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(Math.max(...times)).toBeLessThanOrEqual(durationMs);
    }
  });

  it('schedules of every kind occur within one round of seeds', () => {
    for (const first of [0, 1, 1_013]) {
      const seeds = Array.from({ length: SEEDS_PER_ROUND }, (_, n) => first + n);
      const kinds = new Set(seeds.map((seed) => buildSchedule(seed).kind));
      expect([...kinds].sort()).toEqual([...FAULT_KINDS].sort());
    }
  });
});
