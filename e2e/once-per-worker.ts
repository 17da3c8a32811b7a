import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test';

/**
 * The type of Playwright's `test` after `extend`: `Fixtures` are created per test, `WorkerFixtures` once per worker.
 */
export type TestWith<Fixtures extends object, WorkerFixtures extends object> = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & Fixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
>;

type OncePerWorker<T> = [
  (fixtures: object, use: (started: T) => Promise<void>) => Promise<void>,
  { scope: 'worker'; timeout: number },
];

/** Creates a fixture that starts with the first test of a worker that needs it, and stops with the worker. */
export const oncePerWorker = <T extends { stop(): Promise<void> }>(
  start: () => Promise<T>,
  timeoutMs: number,
): OncePerWorker<T> => [
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  async ({}, use) => {
    const started = await start();
    await use(started);
    await started.stop();
  },
  { scope: 'worker', timeout: timeoutMs },
];
