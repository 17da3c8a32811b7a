import { type Capabilities, LIMITS } from '../../protocol/index.ts';
import type { ClockPort } from '../ports.ts';
import { createTimer } from '../timer.ts';

export interface HeartbeatOptions {
  readonly clock: ClockPort;
  /** What the platform says about its pace, as far as is known now. */
  readonly capabilities: () => Pick<Capabilities, 'heartbeat_interval_seconds'>;
  readonly send: () => void;
  /** A heartbeat is due; called before it is sent. */
  readonly onCheck: () => void;
  /** No frame has arrived within the time after a heartbeat. */
  readonly onSilent: () => void;
}

/**
 * Sends heartbeats over an open connection. After each of them something has to come in; any frame counts, since any frame
 * proves the way in. Source: HB-1.
 */
export interface Heartbeat {
  start(): void;
  stop(): void;
  /** Sends a heartbeat at once; does nothing where the platform wants none. */
  probe(): void;
  noteFrame(): void;
  /** Follows a change of the platform's pace. */
  followPace(): void;
}

/** How long a page that was hidden waits for a frame before it replaces its socket. */
const PROBE_MS = 10_000;

export function createHeartbeat({
  clock,
  capabilities,
  send,
  onCheck,
  onSilent,
}: HeartbeatOptions): Heartbeat {
  const timer = createTimer(clock);
  const pongTimer = createTimer(clock);
  let isRunning = false;
  /** The pace when the timer was set; 0 for none. */
  let beatMs = 0;

  function paceMs(): number {
    const seconds = capabilities().heartbeat_interval_seconds ?? -1;
    return 1000 * (seconds < 0 ? LIMITS.defaultHeartbeatIntervalSeconds : seconds);
  }

  function start(): void {
    isRunning = true;
    beatMs = paceMs();
    timer.clear();
    if (beatMs === 0) return;
    const dueMs = clock.now() + beatMs;
    timer.set(beatMs, () => {
      // A machine that slept resumes with a socket that may have closed meanwhile.
      const patienceMs = clock.now() - dueMs > PROBE_MS ? PROBE_MS : beatMs * 1.5;
      start();
      onCheck();
      beat(patienceMs);
    });
  }

  function beat(patienceMs: number): void {
    // The check may have ended the chat, and the heartbeats with it.
    if (!timer.isSet) return;
    send();
    if (!pongTimer.isSet) pongTimer.set(patienceMs, onSilent);
  }

  return {
    start,
    stop() {
      isRunning = false;
      timer.clear();
      pongTimer.clear();
    },
    probe: () => beat(PROBE_MS),
    noteFrame: pongTimer.clear,
    followPace() {
      if (isRunning && beatMs !== paceMs()) start();
    },
  };
}
