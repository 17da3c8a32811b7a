import { expect } from 'vitest';
import { PATIENCE } from '../../e2e/patience.ts';
import { formatReport } from './report.ts';
import { runSoak } from './run-soak.ts';
import { SEEDS_PER_ROUND } from './schedule.ts';

/**
 * In two files, because one process of clients leaves the second core idle: half of all schedules in each. One round has
 * every kind of fault.
 */
export const SCHEDULES_PER_FILE: number = Math.ceil(
  Number(process.env['SOAK_SCHEDULES'] ?? SEEDS_PER_ROUND) / 2,
);
/** Half a minute on two idle cores; a machine that does other things needs longer and breaks no invariant for it. */
export const SOAK_PATIENCE_MS: number = 120_000 * PATIENCE;
const LANES = 4;
const SPEED = 8;

/** Plays `SCHEDULES_PER_FILE` schedules from a seed on; fails with the seeds that broke an invariant. */
export async function expectNothingBroken(seed: number, databaseUrl: string | undefined): Promise<void> {
  const results = await runSoak({
    schedules: SCHEDULES_PER_FILE,
    seed,
    lanes: LANES,
    speed: SPEED,
    ...(databaseUrl !== undefined && { databaseUrl }),
  });
  const broken = results
    .filter(({ violations }) => violations.length > 0)
    .map((result) => ({
      seed: result.seed,
      kind: result.kind,
      violations: result.violations,
      again: `npm run labs -- soak --schedules 1 --seed ${result.seed}${databaseUrl === undefined ? '' : ` --database-url ${databaseUrl}`}`,
    }));
  expect(broken, formatReport(results)).toEqual([]);
  expect(results.map((result) => result.seed)).toEqual(
    Array.from({ length: SCHEDULES_PER_FILE }, (_, n) => seed + n),
  );
  // Something was said, and faults did happen: an empty run would break nothing either.
  const acknowledged = results.reduce((sum, result) => sum + result.acknowledged, 0);
  expect(acknowledged).toBeGreaterThan(SCHEDULES_PER_FILE * 3);
}
