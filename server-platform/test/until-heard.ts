// The real clock, also in tests that fake it: patience is about the machine.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/** Below the limit of a test (`vitest.config.ts`), so that a failure names the awaited event. */
const PATIENCE_MS = Number(process.env['TEST_PATIENCE_MS'] ?? 10_000);

/** Waits until `listen` calls back; rejects with the awaited event, and the received one, when it does not. */
export async function untilHeard(listen: (heard: () => void) => void, describe: () => string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = startTimer(
      () => reject(new Error(`waited ${PATIENCE_MS / 1_000} s for ${describe()}`)),
      PATIENCE_MS,
    );
    listen(() => {
      stopTimer(timer);
      resolve();
    });
  });
}
