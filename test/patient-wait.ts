import { vi } from 'vitest';

/** As `expect.poll` has it; the second that is the default is soon over on a busy machine. */
const TIMEOUT_MS = 10_000;

const { waitFor } = vi;
vi.waitFor = (check, options = TIMEOUT_MS) => waitFor(check, options);
