import { describe, expect, it } from 'vitest';
import { retryDelayMs } from './retry-policy.ts';

const settings = { retries: 3, maxRetryDelayMs: 30_000 };
const answer = (status: number, code = '') => ({ status, code, retryAfterMs: null });
const lost = (code: string) => ({ status: null, code, retryAfterMs: null });

describe('when a call is sent again', () => {
  it.each([[408], [429], [500], [502], [503], [504]])('repeats a repeatable call after %i', (status) => {
    expect(retryDelayMs(answer(status), 'always', 1, settings, 0)).toBe(250);
  });

  it.each([[400], [401], [403], [404], [409], [410], [422], [501], [505]])(
    'repeats no call after %i',
    (status) => {
      expect(retryDelayMs(answer(status), 'always', 1, settings, 0)).toBeNull();
    },
  );

  it('repeats only repeatable calls after a lost connection or a time-out', () => {
    for (const code of ['NETWORK_ERROR', 'TIMEOUT']) {
      expect(retryDelayMs(lost(code), 'always', 1, settings, 0)).toBe(250);
      expect(retryDelayMs(lost(code), 'when-refused', 1, settings, 0)).toBeNull();
    }
    expect(retryDelayMs(lost('ABORTED'), 'always', 1, settings, 0)).toBeNull();
  });

  it.each([[500], [503], [504]])('does not repeat a write after %i', (status) => {
    expect(retryDelayMs(answer(status), 'when-refused', 1, settings, 0)).toBeNull();
  });

  it('repeats a write after an answer that says nothing was done', () => {
    expect(retryDelayMs(answer(429), 'when-refused', 1, settings, 0)).toBe(250);
    expect(retryDelayMs(answer(502, 'MONITORING_SYNC_FAILED'), 'when-refused', 1, settings, 0)).toBe(250);
    expect(retryDelayMs(answer(502), 'when-refused', 1, settings, 0)).toBeNull();
  });

  it('waits longer before each retry, within limits, and retries only as often as allowed', () => {
    const long = { retries: 10, maxRetryDelayMs: 30_000 };
    const delays = [1, 2, 3, 4, 5, 6, 7].map((attempt) =>
      retryDelayMs(answer(503), 'always', attempt, long, 1),
    );
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(retryDelayMs(answer(503), 'always', 4, settings, 1)).toBeNull();
  });

  it('waits exactly for Retry-After, unless that is too long', () => {
    const busy = (retryAfterMs: number) => ({ ...answer(429), retryAfterMs });
    expect(retryDelayMs(busy(30_000), 'always', 1, settings, 0.3)).toBe(30_000);
    expect(retryDelayMs(busy(0), 'always', 1, settings, 0.3)).toBe(0);
    expect(retryDelayMs(busy(30_001), 'always', 1, settings, 0.3)).toBeNull();
  });
});
