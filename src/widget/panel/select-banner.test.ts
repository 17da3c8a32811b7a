import { describe, expect, it } from 'vitest';
import type { FailureReason } from '../../client/index.ts';
import { strings as en } from '../locales/en.ts';
import { selectBanner } from './select-banner.ts';

const lost = { status: 'reconnecting', attempt: 2, offline: false } as const;

describe('the connection banner', () => {
  it('shows no banner while the connection works', () => {
    for (const status of ['idle', 'open', 'closing', 'closed'] as const) {
      expect(selectBanner({ status }, false, 0)).toBeNull();
    }
  });

  it('promises to send a queued message when the visitor is offline', () => {
    const offline = { ...lost, nextAttemptAtMs: null, offline: true };
    expect(selectBanner(offline, true, 0)?.text).toBe('offlineQueued');
    expect(selectBanner(offline, false, 0)?.text).toBe('offline');
    expect(selectBanner({ status: 'connecting', offline: true }, false, 0)?.text).toBe('offline');
    expect(selectBanner({ status: 'connecting', offline: false }, false, 0)?.text).toBe('connecting');
  });

  it('shows a banner for a menu that did not load, whatever the connection', () => {
    expect(selectBanner({ status: 'open' }, false, 0, true)).toMatchObject({
      tone: 'danger',
      text: 'failedConnection',
    });
  });

  it('says that no human agent can be reached without a socket, and offers the contact', () => {
    const banner = selectBanner({ status: 'open', isTurnBased: true }, false, 0);
    expect(banner).toEqual({ tone: 'info', text: 'turnBased', secondsLeft: null, actions: ['contact'] });
  });

  it('counts down to the next connection attempt and offers to try now', () => {
    const banner = selectBanner({ ...lost, nextAttemptAtMs: 9_000 }, false, 1_000);
    expect(banner).toMatchObject({ text: 'retryIn', secondsLeft: 8, actions: ['reconnect'] });
  });

  it('offers the contact from the third connection attempt on', () => {
    const banner = selectBanner({ ...lost, attempt: 3, nextAttemptAtMs: 9_000 }, false, 1_000);
    expect(banner?.actions).toEqual(['reconnect', 'contact']);
  });

  it('shows no countdown that is too short to read', () => {
    expect(selectBanner({ ...lost, nextAttemptAtMs: 2_000 }, false, 1_000)?.text).toBe('reconnecting');
    expect(selectBanner({ ...lost, nextAttemptAtMs: null }, false, 1_000)?.text).toBe('reconnecting');
  });

  it.each(['origin_not_allowed', 'host_not_registered', 'connector_rejected'] as const)(
    'says that the chat isn’t set up for the site, with contact and another try, if the proxy or platform rejects it: %s',
    (reason) => {
      const banner = selectBanner({ status: 'failed', reason }, false, 0);
      expect(banner && en[banner.text]).toBe('This chat isn’t set up for this site.');
      expect(banner?.actions).toEqual(['reconnect', 'contact']);
    },
  );

  it('offers another try or a new chat, and the contact, for every reason of failure', () => {
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
