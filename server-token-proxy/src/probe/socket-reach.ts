import { readFaultName } from '../kit/read-fault-name.ts';
import type { Handshake } from './handshake.ts';

/** Records whether this proxy can reach the messaging host's socket. */
export interface SocketReach {
  /** Performs a handshake and records a response; undefined if none is configured. */
  readonly handshake: Handshake | undefined;
  /**
   * Whether the host has ever responded to a handshake of this proxy, so that a missing response now means an outage.
   */
  hasAnswered(): boolean;
  /** The status of a response that did not come from a messaging host; null if there was none. */
  wrongStatus(): number | null;
  /** Determines it, while unknown, with a handshake without a session. Returns immediately, never throws. */
  explore(): void;
}

/** Statuses of a messaging host for a handshake without a session, or under overload. Source: WS-2. */
const ANSWERS: ReadonlySet<number> = new Set([101, 400, 401, 403, 429, 500, 503]);

/**
 * `websocketUrl` is `wss://host/ws`, without parameters. `onUnreachable` gets the error code, or the status of a server
 * that is not a messaging host.
 */
export function createSocketReach(
  handshake: Handshake | undefined,
  websocketUrl: string,
  attemptTimeoutMs: number,
  onUnreachable: (fault: string) => void,
): SocketReach {
  let hasAnswered = false;
  let isExploring = false;
  let wrongStatus: number | null = null;
  const remembered: Handshake | undefined =
    handshake &&
    (async (url, options) => {
      const answer = await handshake(url, options);
      hasAnswered ||= ANSWERS.has(answer.status);
      return answer;
    });
  return {
    handshake: remembered,
    hasAnswered: () => hasAnswered,
    wrongStatus: () => wrongStatus,
    explore() {
      if (remembered === undefined || hasAnswered || isExploring) return;
      isExploring = true;
      const signal = AbortSignal.timeout(attemptTimeoutMs);
      remembered(websocketUrl.replace(/^ws/, 'http'), { origin: null, signal })
        .then(({ status }) => {
          wrongStatus = ANSWERS.has(status) ? null : status;
          if (wrongStatus !== null) onUnreachable(`status ${status}`);
        })
        .catch((error: unknown) => onUnreachable(readFaultName(error, signal)))
        .finally(() => {
          isExploring = false;
        });
    },
  };
}
