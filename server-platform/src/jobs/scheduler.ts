import { type Clock, systemClock } from '../kit/clock.ts';

/** A periodic task. */
export interface ScheduledTask {
  /** Its name in logs and metrics, as in "could not end idle chats". */
  readonly what: string;
  /** From the end of a run to the next one. Shortened randomly by up to a tenth, so that nodes do not run in step. */
  readonly everyMs: number;
  /** Delay of the first run. Default: `everyMs`. 0: immediately. */
  readonly firstMs?: number;
  /** Run on one elected node only. Default `false`. */
  readonly onOneNode?: boolean;
  /** The signal is aborted when the task is stopped. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** A task run by a scheduler. */
export interface Scheduled {
  /** Runs once more now, after a running one. Never rejects. */
  run(): Promise<void>;
  /** Stops the task. Resolves when a running one has ended. */
  stop(): Promise<void>;
}

/** Options of {@link Scheduler}. */
export interface SchedulerOptions {
  readonly clock?: Clock;
  /** Returns a number from 0 to below 1. */
  readonly random?: () => number;
  /** Whether this node should run a task that only one node runs. Default: always. */
  readonly isChosen?: (what: string) => Promise<boolean>;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Called after each successful run, for metrics. */
  readonly onRun?: (what: string, durationMs: number) => void;
}

const JITTER = 0.1;

/** Runs periodic background tasks. No task overlaps itself, even after failures. */
export class Scheduler {
  readonly #options: Required<SchedulerOptions>;

  constructor(options: SchedulerOptions) {
    const defaults = { clock: systemClock, random: Math.random, isChosen: async () => true, onRun: () => {} };
    this.#options = { ...defaults, ...options };
  }

  /** Starts a periodic task. */
  every(task: ScheduledTask): Scheduled {
    const { clock, random } = this.#options;
    const controller = new AbortController();
    const { signal } = controller;
    let running: Promise<void> = Promise.resolve();
    let cancel = (): void => {};
    const run = (isDue: boolean): Promise<void> => {
      running = running.then(() => (signal.aborted ? undefined : this.#run(task, signal, isDue)));
      return running;
    };
    const schedule = (delayMs: number): void => {
      cancel = clock.setTimer(() => {
        void run(true).then(() => {
          if (!signal.aborted) schedule(task.everyMs * (1 - JITTER * random()));
        });
      }, delayMs);
    };
    schedule(task.firstMs ?? task.everyMs * (1 - JITTER * random()));
    return {
      run: () => run(false),
      async stop() {
        cancel();
        controller.abort(new Error('The platform is shutting down.'));
        await running;
      },
    };
  }

  /** Never rejects. */
  async #run(
    { what, onOneNode = false, run }: ScheduledTask,
    signal: AbortSignal,
    isDue: boolean,
  ): Promise<void> {
    const { clock, isChosen, onFailure, onRun } = this.#options;
    const startedAtMs = clock.now();
    try {
      if (isDue && onOneNode && !(await isChosen(what))) return;
      await run(signal);
      onRun(what, clock.now() - startedAtMs);
    } catch (error) {
      if (!signal.aborted) onFailure(what, error);
    }
  }
}
