import { expect, it } from 'vitest';
import { shortFormat } from './short-format.ts';

const write = (at: Date, now: Date): string =>
  at.toLocaleString('en-GB', shortFormat(at.toISOString(), now.getTime()));

it('a short time names the day only when that is not today', () => {
  const now = new Date(2026, 10, 27, 8, 0);
  expect(write(new Date(2026, 10, 27, 0, 5), now)).toBe('00:05');
  expect(write(new Date(2026, 10, 26, 23, 55), now)).toBe('26 Nov, 23:55');
});
