import { describe, expect, it } from 'vitest';
import type { FailureReason } from '../../client/index.ts';
import { strings as en } from '../locales/en.ts';
import { selectBanner } from './select-banner.ts';

const lost = { status: 'reconnecting', attempt: 2, offline: false } as const;

describe('the connection banner', () => {
  it('the connection banner is silent when all is well', () => {
    for (const status of ['idle', 'open', 'closing', 'closed'] as const) {
      expect(selectBanner({ status }, false, 0)).toBeNull();
    }
  });

  it('promises the message of somebody who is offline with one written', () => {
    const offline = { ...lost, nextAttemptAtMs: null, offline: true };
    expect(selectBanner(offline, true, 0)?.text).toBe('offlineQueued');
    expect(selectBanner(offline, false, 0)?.text).toBe('offline');
    expect(selectBanner({ status: 'connecting', offline: true }, false, 0)?.text).toBe('offline');
    expect(selectBanner({ status: 'connecting', offline: false }, false, 0)?.text).toBe('connecting');
  });

  it('tells of a menu that is missing, whatever the connection', () => {
    expect(selectBanner({ status: 'open' }, false, 0, true)).toMatchObject({
      tone: 'danger',
      text: 'failedConnection',
    });
  });

  it('says what a conversation in turns cannot do, and whom to ask instead', () => {
    const banner = selectBanner({ status: 'open', isTurnBased: true }, false, 0);
    expect(banner).toEqual({ tone: 'info', text: 'turnBased', secondsLeft: null, actions: ['contact'] });
  });

  it('counts down to the next try and offers to try now', () => {
    const banner = selectBanner({ ...lost, nextAttemptAtMs: 9_000 }, false, 1_000);
    expect(banner).toMatchObject({ text: 'retryIn', secondsLeft: 8, actions: ['reconnect'] });
  });

  it('shows another way from the third try on', () => {
    const banner = selectBanner({ ...lost, attempt: 3, nextAttemptAtMs: 9_000 }, false, 1_000);
    expect(banner?.actions).toEqual(['reconnect', 'contact']);
  });

  it('does not count a wait that is over before it is read', () => {
    expect(selectBanner({ ...lost, nextAttemptAtMs: 2_000 }, false, 1_000)?.text).toBe('reconnecting');
    expect(selectBanner({ ...lost, nextAttemptAtMs: null }, false, 1_000)?.text).toBe('reconnecting');
  });

  it.each(['origin_not_allowed', 'host_not_registered', 'connector_rejected'] as const)(
    'says that a page without a right to the chat has none, and whom to ask; it may be mended any time: %s',
    (reason) => {
      const banner = selectBanner({ status: 'failed', reason }, false, 0);
      expect(banner && en[banner.text]).toBe('This chat isn’t set up for this site.');
      expect(banner?.actions).toEqual(['reconnect', 'contact']);
    },
  );

  it('offers to try again, or to start again, and names a person, for every reason to have given up', () => {
    const reasons: readonly FailureReason[] = [
      'reconnect_budget_spent',
      'session_expired',
      'connector_rejected',
      'origin_not_allowed',
      'service_unavailable',
    ];
    for (const reason of reasons) {
      const banner = selectBanner({ status: 'failed', reason }, false, 0);
      expect(banner?.tone).toBe('danger');
      expect(['reconnect', 'new_chat']).toContain(banner?.actions[0]);
      expect(banner?.actions[1]).toBe('contact');
    }
  });
});
