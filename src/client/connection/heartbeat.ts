import type { ClockPort } from '../ports.ts';

export interface HeartbeatOptions {
  readonly clock: ClockPort;
  readonly send: () => void;
  /** Nothing came in for one and a half intervals after a heartbeat: the socket is half open. */
  readonly onDeaf: () => void;
  readonly onTick: () => void;
}

/** How long a page that was hidden waits for a sign of life before it gives up on its socket. */
const PROBE_MS = 10_000;

/**
 * Beats while a socket is open, and notices when it has gone deaf: after each beat something has to come in
 * within one and a half intervals. Any frame counts, since any frame proves the way in. Source: HB-1.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #intervalMs = 0;
  #cancelTick: (() => void) | null = null;
  #cancelDeadline: (() => void) | null = null;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Starts, or goes on at another pace; 0 stops. */
  start(intervalMs: number): void {
    this.stop();
    this.#intervalMs = intervalMs;
    this.#schedule();
  }

  stop(): void {
    this.#cancelTick?.();
    this.#cancelTick = null;
    this.hear();
  }

  /** Something came in. */
  hear(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = null;
  }

  /** Asks for a sign of life out of turn, when the page is looked at again: timers sleep in hidden pages. */
  probe(): void {
    if (this.#intervalMs > 0) this.#beat(PROBE_MS);
  }

  #schedule(): void {
    if (this.#intervalMs <= 0) return;
    this.#cancelTick = this.#options.clock.setTimer(() => {
      this.#schedule();
      this.#options.onTick();
      // The tick may have ended the chat and stopped this heartbeat.
      if (this.#cancelTick) this.#beat(this.#intervalMs * 1.5);
    }, this.#intervalMs);
  }

  #beat(deadlineMs: number): void {
    this.#options.send();
    this.#cancelDeadline ??= this.#options.clock.setTimer(() => {
      this.#cancelDeadline = null;
      this.#options.onDeaf();
    }, deadlineMs);
  }
}
