import type { ConnectionStatus, FailureReason } from '../client/index.ts';
import type { StringKey } from './strings/catalogue.ts';

export type BannerAction = 'reconnect' | 'new_chat' | 'contact';

/** What the banner says: one sentence about what is going on and what happens next. */
export interface Banner {
  readonly tone: 'info' | 'danger';
  readonly text: StringKey;
  /** Filled into the sentence, seconds; null when the sentence has no time. */
  readonly secondsLeft: number | null;
  readonly actions: readonly BannerAction[];
}

const FAILED: Readonly<Record<FailureReason, Pick<Banner, 'text' | 'actions'>>> = {
  reconnect_budget_spent: { text: 'failedConnection', actions: ['reconnect', 'contact'] },
  session_expired: { text: 'failedExpired', actions: ['new_chat', 'contact'] },
  connector_rejected: { text: 'failedRejected', actions: ['reconnect', 'contact'] },
  origin_not_allowed: { text: 'failedRejected', actions: ['reconnect', 'contact'] },
  service_unavailable: { text: 'failedUnavailable', actions: ['reconnect', 'contact'] },
};

/** Chooses the banner for a connection; null when there is nothing to say. Reads no clock. */
export function selectBanner(connection: ConnectionStatus, hasQueued: boolean, nowMs: number): Banner | null {
  const say = (text: StringKey): Banner => ({ tone: 'info', text, secondsLeft: null, actions: [] });
  if ('offline' in connection && connection.offline) return say(hasQueued ? 'offlineQueued' : 'offline');
  switch (connection.status) {
    case 'connecting':
      return say(connection.status);
    case 'reconnecting': {
      const leftMs = connection.nextAttemptAtMs === null ? 0 : connection.nextAttemptAtMs - nowMs;
      // A wait that is over before the sentence is read is not worth a number.
      if (leftMs < 1_500) return say(connection.status);
      return {
        tone: 'info',
        text: 'retryIn',
        secondsLeft: Math.round(leftMs / 1_000),
        // A blip needs no help; after that, whoever cannot wait is shown another way.
        actions: connection.attempt > 2 ? ['reconnect', 'contact'] : ['reconnect'],
      };
    }
    case 'failed':
      return { tone: 'danger', secondsLeft: null, ...FAILED[connection.reason] };
    case 'open':
      return connection.isTurnBased ? { ...say('turnBased'), actions: ['contact'] } : null;
    case 'idle':
    case 'closing':
    case 'closed':
      return null;
  }
}
