import type { ClientPorts } from '../ports.ts';

export interface SocketTrialsOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'WebSocket' | 'environment'>;
  /** Address of a socket to the running session. Rejects when there is no session. */
  readonly socketUrl: (cursor: number) => Promise<string>;
  /** From then on, no socket can resume the session. */
  readonly sessionEndsAtMs: number;
  /** A socket has opened. */
  readonly onSuccess: () => void;
}

/** Occasionally tests whether a socket can be opened again. */
export interface SocketTrials {
  /** Schedules the first trial. */
  start(): void;
  stop(): void;
}

/** Delay of the first trial: short, because an outage may just have ended. Quadrupled after each failure. */
const FIRST_TRIAL_MS = 15_000;
const LAST_TRIAL_MS = 240_000;
/** After a change of network a trial is immediate, but at most this often. */
const TRY_AGAIN_AFTER_MS = 10_000;
/** A message that keeps the session alive until the socket after the trial is open. Source: HB-3. */
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
      // Beyond the last event, so that nothing is replayed to a socket whose frames are not read (CUR-3).
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
      // Blocked by a content security policy. The error's text may contain the address with the token.
      plan();
    }
  }

  const stopListening = environment.onChange((change) => {
    const nowMs = clock.now();
    if (change !== 'online' || nowMs - triedAtMs < TRY_AGAIN_AFTER_MS || nowMs >= sessionEndsAtMs) return;
    // Another network may allow sockets.
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
