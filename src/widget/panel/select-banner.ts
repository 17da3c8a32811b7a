import type { ConnectionStatus, FailureReason } from '../../client/index.ts';
import type { StringKey } from '../locales/catalogue.ts';

export type BannerAction = 'reconnect' | 'new_chat' | 'contact';

/** The banner: one sentence about the connection and what happens next, with buttons. */
export interface Banner {
  readonly tone: 'info' | 'danger';
  readonly text: StringKey;
  /** Seconds to fill into the sentence; `null` for a sentence without a time. */
  readonly secondsLeft: number | null;
  readonly actions: readonly BannerAction[];
}

const FAILED: Readonly<Record<FailureReason, StringKey>> = {
  reconnect_budget_spent: 'failedConnection',
  session_expired: 'failedExpired',
  connector_rejected: 'failedRejected',
  origin_not_allowed: 'failedRejected',
  host_not_registered: 'failedRejected',
  service_unavailable: 'failedUnavailable',
};

/** Returns true if the platform rejects this page, so that queued messages will not be sent later either. */
export const isRefused = (connection: ConnectionStatus): boolean =>
  connection.status === 'failed' && FAILED[connection.reason] === 'failedRejected';

/**
 * Selects the banner for the connection, or for a menu that could not be loaded. Returns `null` for no banner.
 */
export function selectBanner(
  connection: ConnectionStatus,
  hasQueued: boolean,
  nowMs: number,
  isMenuMissing = false,
): Banner | null {
  const say = (text: StringKey, ...actions: readonly BannerAction[]): Banner => ({
    tone: 'info',
    text,
    secondsLeft: null,
    actions,
  });
  if (isMenuMissing) return { ...say('failedConnection', 'contact'), tone: 'danger' };
  if ('offline' in connection && connection.offline) return say(hasQueued ? 'offlineQueued' : 'offline');
  if (connection.status === 'reconnecting') {
    const leftMs = (connection.nextAttemptAtMs ?? 0) - nowMs;
    // Shorter than it takes to read the sentence, so no countdown.
    if (leftMs < 1_500) return say(connection.status);
    // The contact is offered from the third attempt on.
    const banner =
      connection.attempt > 2 ? say('retryIn', 'reconnect', 'contact') : say('retryIn', 'reconnect');
    return { ...banner, secondsLeft: Math.round(leftMs / 1_000) };
  }
  if (connection.status === 'failed') {
    const { reason } = connection;
    const again = reason === 'session_expired' ? 'new_chat' : 'reconnect';
    return { ...say(FAILED[reason], again, 'contact'), tone: 'danger' };
  }
  if (connection.status === 'connecting') return say(connection.status);
  return connection.status === 'open' && connection.isTurnBased ? say('turnBased', 'contact') : null;
}
