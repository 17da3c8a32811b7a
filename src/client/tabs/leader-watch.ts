import type { ClientPorts } from '../ports.ts';
import { createTimer } from '../timer.ts';

export interface LeaderWatchOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'environment'>;
  /** Asks the leader for a sign of life. */
  readonly ask: () => void;
  readonly onSilent: () => void;
}

/** Notices in a follower that the leader does not answer any more. */
export interface LeaderWatch {
  start(): void;
  noteAnswer(): void;
  stop(): void;
}

/** How often a visible tab asks for a sign of life: three questions and a resume fit into 2 s. */
const ASK_EVERY_MS = 500;
const MAX_UNANSWERED = 2;

export function createLeaderWatch({ ports, ask, onSilent }: LeaderWatchOptions): LeaderWatch {
  const timer = createTimer(ports.clock);
  /** Questions since the last answer. */
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
