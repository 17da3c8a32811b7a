import { it } from 'vitest';
import { expectNothingBroken, SCHEDULES_PER_FILE, SOAK_PATIENCE_MS } from './soak-in-ci.ts';

it(
  `breaks no invariant in ${SCHEDULES_PER_FILE} schedules on embedded databases`,
  {
    timeout: SOAK_PATIENCE_MS,
  },
  () => expectNothingBroken(1, undefined),
);
