/** One step of a shutdown. */
export interface ShutdownStep {
  /** Completes "could not …" in the log. */
  readonly what: string;
  /** Time limit after which the shutdown continues; null: the step limits itself. */
  readonly timeoutMs: number | null;
  readonly run: () => Promise<unknown> | undefined;
}

/**
 * Runs the steps one after the other. A step that rejects or exceeds its time limit is reported, and the next step runs
 * anyway, so that an unavailable database does not keep the process alive. Never rejects.
 */
export async function runShutdown(
  steps: readonly ShutdownStep[],
  onFailure: (what: string, error: unknown) => void,
): Promise<void> {
  for (const { what, timeoutMs, run } of steps) {
    try {
      await (timeoutMs === null ? run() : within(timeoutMs, run()));
    } catch (error) {
      onFailure(what, error);
    }
  }
}

async function within(timeoutMs: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    // Referenced, unlike the platform's other timers, because the process could otherwise end between the steps.
    timer = setTimeout(() => reject(new Error(`It took longer than ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
