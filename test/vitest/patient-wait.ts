import { inject, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly waitMs: number;
  }
}

/** As `expect.poll` has them; the second that is the default time is soon over on a busy machine. */
const PATIENCE = { timeout: inject('waitMs'), interval: 10 };

const { waitFor } = vi;
vi.waitFor = (check, options = PATIENCE) => waitFor(check, options);
