import { it } from 'vitest';
import { REACHABLE_POSTGRES_URL } from '../../server-platform/test/db/postgres-server.ts';
import { expectNothingBroken, SCHEDULES_PER_FILE, SOAK_PATIENCE_MS } from './soak-in-ci.ts';

const server = REACHABLE_POSTGRES_URL;

// Where no server answers, the other half of the schedules runs on embedded databases as well.
it(
  `breaks no invariant in ${SCHEDULES_PER_FILE} more schedules on ${server === undefined ? 'embedded databases' : 'PostgreSQL'}`,
  {
    timeout: SOAK_PATIENCE_MS,
  },
  () => expectNothingBroken(1 + SCHEDULES_PER_FILE, server),
);
