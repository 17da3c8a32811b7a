import { describe, expect, it } from 'vitest';
import { createWindowLimiter } from '../kit/http/window-limiter.ts';
import { createTokenBucket } from './token-bucket.ts';

describe('token bucket', () => {
  it("allows a burst of the bucket's capacity, then as many as are refilled", () => {
    const bucket = createTokenBucket({ capacity: 20, refillPerSecond: 5 });
    const burst = Array.from({ length: 25 }, () => bucket.take(1000));
    expect(burst.filter(Boolean)).toHaveLength(20);
    expect(bucket.take(1199)).toBe(false);
    expect(bucket.take(1200)).toBe(true);
    expect(bucket.take(1201)).toBe(false);
    const later = Array.from({ length: 10 }, () => bucket.take(2201));
    expect(later.filter(Boolean)).toHaveLength(5);
  });

  it("never exceeds the bucket's capacity, and survives a clock set back", () => {
    const bucket = createTokenBucket({ capacity: 2, refillPerSecond: 1 });
    expect([bucket.take(0), bucket.take(3_600_000), bucket.take(3_600_000)]).toEqual([true, true, true]);
    expect(bucket.take(3_600_000)).toBe(false);
    expect(bucket.take(0)).toBe(false);
    expect(bucket.take(1000)).toBe(true);
  });
});

describe('window limiter', () => {
  it("refuses uses above the window's limit and returns when to retry", () => {
    const limiter = createWindowLimiter({ limit: 3, windowMs: 60_000 });
    expect([0, 10_000, 20_000].map((at) => limiter.use('a', at).allowed)).toEqual([true, true, true]);
    expect(limiter.use('a', 30_500)).toEqual({ allowed: false, retryAfterSeconds: 30 });
    expect(limiter.use('a', 59_999)).toEqual({ allowed: false, retryAfterSeconds: 1 });
    expect(limiter.use('a', 60_000)).toEqual({ allowed: true });
    expect(limiter.use('a', 60_001)).toEqual({ allowed: false, retryAfterSeconds: 10 });
  });

  it('counts the uses of each key separately', () => {
    const limiter = createWindowLimiter({ limit: 1, windowMs: 1000 });
    expect(limiter.use('a', 0).allowed).toBe(true);
    expect(limiter.use('b', 0).allowed).toBe(true);
    expect(limiter.use('a', 0).allowed).toBe(false);
  });

  it('drops keys unused for a whole window, and the oldest ones above the maximum', () => {
    const limiter = createWindowLimiter({ limit: 1, windowMs: 1000, maxKeys: 3 });
    for (const key of ['a', 'b', 'c', 'd']) limiter.use(key, 0);
    expect(limiter.size).toBe(3);
    limiter.use('e', 1000);
    expect(limiter.size).toBe(1);
  });
});
