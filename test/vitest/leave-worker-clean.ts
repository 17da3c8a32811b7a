import { afterAll, vi } from 'vitest';
import { closeLentDatabases } from '../../server-platform/test/db/lend-databases.ts';

// Test files in one process share its modules and databases, and nothing else.
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  await closeLentDatabases();
});
