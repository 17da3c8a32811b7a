import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeTime } from './write-turn.ts';

it('writes every time of a turn as ISO 8601 with milliseconds, and omits missing times (CV-15)', () => {
  const ms = fc.integer({ min: Date.UTC(1960, 0, 1), max: Date.UTC(2199, 0, 1) });
  fc.assert(
    fc.property(ms, (at) => {
      expect(writeTime(at)).toBe(new Date(at).toISOString());
    }),
  );
  expect(writeTime(null)).toBe('');
});
