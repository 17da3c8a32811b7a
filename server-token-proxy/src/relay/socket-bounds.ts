import { DEFAULT_RETRY_AFTER_MS } from '../kit/retry-policy.ts';
import { ProxyFailure } from '../proxy-failure.ts';

/** Counts sockets that are open or being opened. */
export interface SocketBounds {
  /**
   * Reserves a slot for a socket of this address; returns a function that releases it. Throws `RATE_LIMITED` when there
   * is none.
   */
  take(clientKey: string): () => void;
}

export function createSocketBounds(perClient: number, total: number): SocketBounds {
  const byClient = new Map<string, number>();
  let all = 0;
  return {
    take(clientKey) {
      const own = byClient.get(clientKey) ?? 0;
      if (own >= perClient || all >= total) {
        throw new ProxyFailure('RATE_LIMITED', 'Too many chats are open. Close one, or try again later.', {
          retryAfterMs: DEFAULT_RETRY_AFTER_MS,
          logFields: { limit: own >= perClient ? 'relaySocketsPerClient' : 'relaySocketsTotal' },
        });
      }
      byClient.set(clientKey, own + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = (byClient.get(clientKey) ?? 1) - 1;
        if (left === 0) byClient.delete(clientKey);
        else byClient.set(clientKey, left);
      };
    },
  };
}
