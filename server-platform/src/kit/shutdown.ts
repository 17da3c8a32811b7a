/** One step of a shutdown. */
export interface ShutdownStep {
  /** Completes "could not …" in the log. */
  readonly what: string;
  /** The shutdown continues after this time; null: the step limits itself. */
  readonly timeoutMs: number | null;
  readonly run: () => Promise<unknown> | undefined;
}

/**
 * Runs the steps one after the other. A step that rejects or takes longer than its time limit is reported, and the next
 * step runs all the same: a database that is down must not keep the process alive. Never rejects.
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
    // Referenced, unlike the platform's other timers: without it the process could end in the middle of the steps.
    timer = setTimeout(() => reject(new Error(`It took longer than ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
