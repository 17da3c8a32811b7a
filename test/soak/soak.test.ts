import { describe, expect, it } from 'vitest';
import { formatReport } from './report.ts';
import { runSoak } from './run-soak.ts';
import { buildSchedule, FAULT_KINDS, SEEDS_PER_ROUND } from './schedule.ts';

const SCHEDULES = Number(process.env['SOAK_SCHEDULES'] ?? 50);
const SEED = 1;
// Minutes on two idle cores; a machine that does other things needs longer and breaks no invariant for it.
const PATIENCE_MS = 1_500_000;

describe('the soak', () => {
  it(`breaks no invariant in ${SCHEDULES} schedules`, { timeout: PATIENCE_MS }, async () => {
    const results = await runSoak({ schedules: SCHEDULES, seed: SEED, lanes: 4, speed: 8 });
    const broken = results
      .filter(({ violations }) => violations.length > 0)
      .map(({ seed, kind, violations }) => ({ seed, kind, violations }));
    expect(broken, formatReport(results)).toEqual([]);
    expect(results.map(({ seed }) => seed)).toEqual(Array.from({ length: SCHEDULES }, (_, n) => SEED + n));
    // Something was said, and faults did happen: an empty run would break nothing either.
    expect(results.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(SCHEDULES * 3);
  });
});

describe('a schedule', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(buildSchedule(42)).toEqual(buildSchedule(42));
    expect(buildSchedule(42)).not.toEqual(buildSchedule(43));
  });

  it('has its steps in order of time and ends with all conditions lifted', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { steps, durationMs } = buildSchedule(seed);
      const times = steps.map(({ atMs }) => atMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(Math.max(...times)).toBeLessThanOrEqual(durationMs);
    }
  });

  it('comes in every kind within one round of seeds', () => {
    for (const first of [0, 1, 1_013]) {
      const seeds = Array.from({ length: SEEDS_PER_ROUND }, (_, n) => first + n);
      const kinds = new Set(seeds.map((seed) => buildSchedule(seed).kind));
      expect([...kinds].sort()).toEqual([...FAULT_KINDS].sort());
    }
  });
});
