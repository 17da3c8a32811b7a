import { expect, it } from 'vitest';
import { runSoak } from './run-soak.ts';
import { SOAK_PATIENCE_MS } from './soak-in-ci.ts';

const SPEED = 5;

/** Each of these schedules once broke an invariant. */
const SEEDS = [
  [106, 'two tabs say the same, one of them in its first moments'],
  [111, 'a page was reloaded before it had a session'],
] as const;

it.each(SEEDS)(
  'breaks no invariant in Chromium: seed %i, %s',
  { timeout: SOAK_PATIENCE_MS },
  async (seed) => {
    const results = await runSoak({ schedules: 1, seed, lanes: 1, speed: SPEED, isInBrowser: true });
    const again = `npm run labs -- soak --schedules 1 --seed ${seed} --browser`;
    expect(
      results.flatMap(({ violations }) => violations),
      again,
    ).toEqual([]);
    expect(results.map(({ acknowledged }) => acknowledged > 0)).toEqual([true]);
  },
);
