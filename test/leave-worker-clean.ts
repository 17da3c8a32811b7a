import { afterAll, vi } from 'vitest';
import { closeLentDatabases } from '../server-platform/src/db/testing/lend-databases.ts';

// Files of one process share its modules and its databases, and nothing else.
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  await closeLentDatabases();
});
