import type { ClientPorts } from '../ports.ts';

export interface SocketTrialsOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'WebSocket' | 'environment'>;
  /** Address of a socket to the running session. Rejects when there is no session. */
  readonly socketUrl: (cursor: number) => Promise<string>;
  /** From then on no socket could resume the session. */
  readonly sessionEndsAtMs: number;
  /** A socket has opened. */
  readonly onSuccess: () => void;
}

/** Tries now and then whether a socket can be opened again. */
export interface SocketTrials {
  /** Plans the first one. */
  start(): void;
  stop(): void;
}

/** When sockets are tried for the first time: soon, as an outage may just have ended. Four times as long after each failure. */
const FIRST_TRIAL_MS = 15_000;
const LAST_TRIAL_MS = 240_000;
/** A network that has changed is tried at once, but not over and over. */
const TRY_AGAIN_AFTER_MS = 10_000;
/** A message that keeps the session alive until the socket that follows the trial is there. Source: HB-3. */
const SIGN_OF_LIFE = JSON.stringify({ type: 'EVENT_TYPE_HEARTBEAT', payload: {} });

export function createSocketTrials(options: SocketTrialsOptions): SocketTrials {
  const { sessionEndsAtMs, onSuccess } = options;
  const { clock, environment, WebSocket } = options.ports;
  let trialMs = FIRST_TRIAL_MS;
  let triedAtMs = -Infinity;
  let isOver = false;
  let cancel = (): void => {};

  function plan(): void {
    cancel();
    if (isOver || clock.now() + trialMs >= sessionEndsAtMs) return;
    if (trialMs <= LAST_TRIAL_MS) cancel = clock.setTimer(() => void tryOnce(), trialMs);
    trialMs *= 4;
  }

  async function tryOnce(): Promise<void> {
    triedAtMs = clock.now();
    try {
      // Beyond the last event: nothing is replayed to a socket whose frames are not read (CUR-3).
      const url = await options.socketUrl(Number.MAX_SAFE_INTEGER);
      if (isOver) return;
      const trial = new WebSocket(url);
      trial.addEventListener('open', () => {
        trial.send(SIGN_OF_LIFE);
        trial.close();
        isOver = true;
        onSuccess();
      });
      trial.addEventListener('close', plan);
    } catch {
      // A content security policy. The error's text may hold the address with the token.
      plan();
    }
  }

  const stopListening = environment.onChange((change) => {
    const nowMs = clock.now();
    if (change !== 'online' || nowMs - triedAtMs < TRY_AGAIN_AFTER_MS || nowMs >= sessionEndsAtMs) return;
    // Another network may let sockets through.
    cancel();
    trialMs = FIRST_TRIAL_MS;
    void tryOnce();
  });

  return {
    start: plan,
    stop() {
      isOver = true;
      cancel();
      stopListening();
    },
  };
}
