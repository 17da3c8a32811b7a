import { vi } from 'vitest';

/** As `expect.poll` has them; the second that is the default time is soon over on a busy machine. */
const PATIENCE = { timeout: 10_000, interval: 10 };

const { waitFor } = vi;
vi.waitFor = (check, options = PATIENCE) => waitFor(check, options);
