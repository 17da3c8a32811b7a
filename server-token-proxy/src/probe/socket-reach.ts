import { readFaultName } from '../kit/read-fault-name.ts';
import type { Handshake } from './handshake.ts';

/** This proxy's record of whether it reaches the messaging host's socket. */
export interface SocketReach {
  /** The handshake, remembered when it is answered; undefined where there is none. */
  readonly handshake: Handshake | undefined;
  /** The host has answered a handshake of this proxy before, so one that it does not answer now is away. */
  hasAnswered(): boolean;
  /** The status by which something that is no messaging host has answered; null while nothing has. */
  wrongStatus(): number | null;
  /** Finds that out, as long as it is not known, by a handshake without a session. Returns at once, never throws. */
  explore(): void;
}

/** Statuses by which a messaging host answers a handshake without a session, or while it is overloaded. Source: WS-2. */
const ANSWERS: ReadonlySet<number> = new Set([101, 400, 401, 403, 429, 500, 503]);

/** `websocketUrl` is `wss://host/ws`, without parameters. `onUnreachable` gets the fault's name, or the status of a server that is no messaging host. */
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
