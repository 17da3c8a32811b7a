import type { ClientPorts } from '../ports.ts';
import { createTimer } from '../timer.ts';

export interface LeaderWatchOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'environment'>;
  /** Requests a response from the leader. */
  readonly ask: () => void;
  readonly onSilent: () => void;
}

/** Detects in a follower that the leader no longer responds. */
export interface LeaderWatch {
  start(): void;
  noteAnswer(): void;
  stop(): void;
}

/** How often a visible tab requests a response: three requests and a takeover take less than 2 s. */
const ASK_EVERY_MS = 500;
const MAX_UNANSWERED = 2;

export function createLeaderWatch({ ports, ask, onSilent }: LeaderWatchOptions): LeaderWatch {
  const timer = createTimer(ports.clock);
  /** Requests since the last response. */
  let unanswered = 0;

  function start(): void {
    timer.set(ASK_EVERY_MS, () => {
      start();
      unanswered = ports.environment.isVisible() ? unanswered + 1 : 0;
      if (unanswered > MAX_UNANSWERED) {
        unanswered = 0;
        onSilent();
      } else if (unanswered > 0) ask();
    });
  }

  return {
    start,
    noteAnswer() {
      unanswered = 0;
    },
    stop: timer.clear,
  };
}
