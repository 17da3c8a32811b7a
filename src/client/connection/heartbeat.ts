import { type Capabilities, LIMITS } from '../../protocol/index.ts';
import type { ClockPort } from '../ports.ts';
import { createTimer } from '../timer.ts';

export interface HeartbeatOptions {
  readonly clock: ClockPort;
  /** The platform's heartbeat settings, as far as known. */
  readonly capabilities: () => Pick<Capabilities, 'heartbeat_interval_seconds'>;
  readonly send: () => void;
  /** A heartbeat is due; called before it is sent. */
  readonly onCheck: () => void;
  /** Called when neither a frame nor the following heartbeat was answered. */
  readonly onSilent: () => void;
}

/**
 * Sends heartbeats over an open connection, and detects a half-open one: when neither a frame nor the following
 * heartbeat is answered. Source: HB-1, DEL-4a.
 */
export interface Heartbeat {
  start(): void;
  stop(): void;
  /** Sends a heartbeat immediately, unless the platform wants none. */
  probe(): void;
  /** Called after sending a frame that the platform answers. */
  awaitAnswer(): void;
  /** A frame has arrived. Echoes (of heartbeats too) and rejections count as answers. */
  noteFrame(isAnswer: boolean): void;
  /** Applies a changed heartbeat interval. */
  followPace(): void;
}

/** How long to wait for an echo before a heartbeat is sent, and then for a response to either. Source: DEL-4a. */
const ANSWER_MS = 5_000;

export function createHeartbeat({
  clock,
  capabilities,
  send,
  onCheck,
  onSilent,
}: HeartbeatOptions): Heartbeat {
  const timer = createTimer(clock);
  const answerTimer = createTimer(clock);
  let isRunning = false;
  /** Whether the heartbeat after an unanswered frame was sent. */
  let isLastCall = false;
  /** The interval when the timer was set; 0 for none. */
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
    timer.set(beatMs, () => {
      start();
      onCheck();
      probe();
    });
  }

  function probe(): void {
    // The check may have ended the chat, which stops the heartbeats.
    if (!timer.isSet) return;
    awaitAnswer();
    send();
  }

  function awaitAnswer(): void {
    if (!timer.isSet || answerTimer.isSet) return;
    isLastCall = false;
    answerTimer.set(ANSWER_MS, () => {
      waitOn();
      send();
    });
  }

  function waitOn(): void {
    isLastCall = true;
    answerTimer.set(ANSWER_MS, onSilent);
  }

  return {
    start,
    stop() {
      isRunning = false;
      timer.clear();
      answerTimer.clear();
    },
    probe,
    awaitAnswer,
    noteFrame(isAnswer) {
      if (isAnswer) answerTimer.clear();
      // On a slow line the response arrives after frames that were sent before it.
      else if (answerTimer.isSet && isLastCall) waitOn();
    },
    followPace() {
      if (isRunning && beatMs !== paceMs()) start();
    },
  };
}
