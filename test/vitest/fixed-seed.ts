import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly fuzzSeed: number;
  }
}

fc.configureGlobal({ seed: inject('fuzzSeed') });
