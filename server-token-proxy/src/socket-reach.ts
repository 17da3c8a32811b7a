import type { Handshake } from './handshake.ts';

/** What this proxy knows of its own way to the messaging host's socket. */
export interface SocketReach {
  /** The handshake, remembered when it is answered; undefined where there is none. */
  readonly handshake: Handshake | undefined;
  /** The host has answered a handshake of this proxy before, so one that it does not answer now is away. */
  hasAnswered(): boolean;
  /** Finds that out, as long as it is not known, by a handshake without a session. Returns at once, never throws. */
  explore(): void;
}

/** `websocketUrl` is `wss://host/ws`, without parameters. */
export function createSocketReach(
  handshake: Handshake | undefined,
  websocketUrl: string,
  attemptTimeoutMs: number,
): SocketReach {
  let hasAnswered = false;
  let isExploring = false;
  const remembered: Handshake | undefined =
    handshake &&
    (async (url, options) => {
      const answer = await handshake(url, options);
      hasAnswered = true;
      return answer;
    });
  return {
    handshake: remembered,
    hasAnswered: () => hasAnswered,
    explore() {
      if (remembered === undefined || hasAnswered || isExploring) return;
      isExploring = true;
      const signal = AbortSignal.timeout(attemptTimeoutMs);
      remembered(websocketUrl.replace(/^ws/, 'http'), { origin: null, signal })
        // Whoever cannot reach it knows no more than before.
        .catch(() => {})
        .finally(() => {
          isExploring = false;
        });
    },
  };
}
