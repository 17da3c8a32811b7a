import { inject, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly waitMs: number;
  }
}

/** The options of `expect.poll`; its default of one second is too short on a busy machine. */
const PATIENCE = { timeout: inject('waitMs'), interval: 10 };

const { waitFor } = vi;
vi.waitFor = (check, options = PATIENCE) => waitFor(check, options);
