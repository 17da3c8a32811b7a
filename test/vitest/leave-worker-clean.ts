import { afterAll, vi } from 'vitest';
import { closeLentDatabases } from '../../server-platform/test/db/lend-databases.ts';

// Files of one process share its modules and its databases, and nothing else.
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  await closeLentDatabases();
});
