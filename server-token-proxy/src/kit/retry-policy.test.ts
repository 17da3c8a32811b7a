import { describe, expect, it } from 'vitest';
import { decideRetry, readRetryAfterMs } from './retry-policy.ts';

const unavailable = { kind: 'unavailable' } as const;

describe('retry policy', () => {
  it('waits 1, 2 and 4 seconds and gives up after the fourth attempt', () => {
    expect([0, 1, 2, 3].map((retriesDone) => decideRetry(unavailable, retriesDone, 60_000))).toEqual([
      1_000,
      2_000,
      4_000,
      null,
    ]);
  });

  it('counts a rate-limited attempt as one of the three retries', () => {
    const limited = { kind: 'rate-limited', retryAfter: '1' } as const;
    expect([0, 1, 2, 3].map((retriesDone) => decideRetry(limited, retriesDone, 60_000))).toEqual([
      1_000,
      1_000,
      1_000,
      null,
    ]);
  });

  it('does not start a delay that would end after the deadline', () => {
    expect(decideRetry(unavailable, 0, 1_001)).toBe(1_000);
    expect(decideRetry(unavailable, 0, 1_000)).toBeNull();
    expect(decideRetry(unavailable, 0, -5)).toBeNull();
  });

  it.each([
    ['2', 2_000],
    ['0.5', 500],
    [' 3 ', 3_000],
    ['0', 0],
    ['31', 30_000],
    ['99999999999999999999', 30_000],
    [null, 5_000],
    ['', 5_000],
    ['-1', 5_000],
    ['1e3', 5_000],
    ['soon', 5_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 5_000],
  ])('reads Retry-After %j as %i ms', (value, expected) => {
    expect(readRetryAfterMs(value)).toBe(expected);
  });
});
