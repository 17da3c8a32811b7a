import { it } from 'vitest';
import { REACHABLE_ENGINES } from '../../server-platform/src/db/testing/engines.ts';
import { expectNothingBroken, SCHEDULES_PER_FILE, SOAK_PATIENCE_MS } from './soak-in-ci.ts';

const server = REACHABLE_ENGINES.find(({ databaseUrl }) => databaseUrl !== undefined);

// Where no server answers, the other half of the schedules runs on embedded databases as well.
it(
  `breaks no invariant in ${SCHEDULES_PER_FILE} more schedules on ${server?.name ?? 'embedded databases'}`,
  {
    timeout: SOAK_PATIENCE_MS,
  },
  () => expectNothingBroken(1 + SCHEDULES_PER_FILE, server?.databaseUrl),
);
