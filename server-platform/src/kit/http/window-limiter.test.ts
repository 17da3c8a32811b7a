import { expect, it } from 'vitest';
import { createWindowLimiter } from './window-limiter.ts';

const START_MS = 1_000_000;
const REFUSED = (retryAfterSeconds: number) => ({ allowed: false, retryAfterSeconds });

it('allows a limited number of uses in any window, and says when the next one is possible', () => {
  const limiter = createWindowLimiter({ limit: 3, windowMs: 60_000 });
  for (const atMs of [0, 10_000, 20_000])
    expect(limiter.use('a', START_MS + atMs)).toEqual({ allowed: true });
  expect(limiter.use('a', START_MS + 20_000)).toEqual(REFUSED(40));
  expect(limiter.use('a', START_MS + 59_999)).toEqual(REFUSED(1));
  expect(limiter.use('b', START_MS + 59_999)).toEqual({ allowed: true });
  expect(limiter.use('a', START_MS + 60_000)).toEqual({ allowed: true });
  expect(limiter.use('a', START_MS + 60_000)).toEqual(REFUSED(10));
});

it('does not count refused uses, so that a caller who waits succeeds', () => {
  const limiter = createWindowLimiter({ limit: 1, windowMs: 60_000 });
  limiter.use('a', START_MS);
  for (let second = 1; second < 60; second += 1)
    expect(limiter.use('a', START_MS + second * 1_000)).toEqual(REFUSED(60 - second));
  expect(limiter.use('a', START_MS + 60_000)).toEqual({ allowed: true });
});

it('takes a use back once, and only one that was made', () => {
  const limiter = createWindowLimiter({ limit: 2, windowMs: 60_000 });
  limiter.use('a', START_MS);
  limiter.use('a', START_MS + 1);
  limiter.takeBack('a', START_MS + 1);
  limiter.takeBack('a', START_MS + 1);
  limiter.takeBack('b', START_MS);
  expect(limiter.use('a', START_MS + 2)).toEqual({ allowed: true });
  expect(limiter.use('a', START_MS + 3).allowed).toBe(false);
});

it('forgets keys that were not used for a window', () => {
  const limiter = createWindowLimiter({ limit: 1, windowMs: 60_000 });
  for (let key = 0; key < 100; key += 1) limiter.use(`${key}`, START_MS);
  expect(limiter.size).toBe(100);
  limiter.use('late', START_MS + 60_000);
  expect(limiter.size).toBe(1);
});

it('limits the number of keys, and forgets the least recently used one', () => {
  const limiter = createWindowLimiter({ limit: 1, windowMs: 60_000, maxKeys: 3 });
  for (const key of ['a', 'b', 'c']) limiter.use(key, START_MS);
  // A refused use counts as recent: `a` is now younger than `b`.
  expect(limiter.use('a', START_MS)).toEqual(REFUSED(60));
  limiter.use('d', START_MS);
  expect(limiter.size).toBe(3);
  expect(limiter.use('a', START_MS)).toEqual(REFUSED(60));
  expect(limiter.use('b', START_MS)).toEqual({ allowed: true });
});
