import { beforeAll, describe } from 'vitest';
import { EMBEDDED_ENGINE, type TestEngine } from './engines.ts';

/** The engine of this run: embedded, or PostgreSQL in the `postgres` project of `vitest.config.ts`. */
const TEST_ENGINE: TestEngine =
  process.env['TEST_ENGINE'] === 'postgres'
    ? (await import('./postgres-engine.ts')).POSTGRES_ENGINE
    : EMBEDDED_ENGINE;

const { name, skipped } = TEST_ENGINE;

/** A contract of the storage, for files named `*.storage.test.ts`: it holds on the engine of this run. */
export function describeStorage(title: string, body: (engine: TestEngine) => void): void {
  describe.skipIf(skipped !== null)(`${title} on ${name}`, () => {
    // The first start of an engine takes longer than a test may.
    beforeAll(async () => await (await TEST_ENGINE.open()).close());
    body(TEST_ENGINE);
  });
}

/** A contract of a server that several processes use: it holds in runs on PostgreSQL. */
export function describeServer(title: string, body: (engine: TestEngine) => void): void {
  describe.skipIf(name !== 'postgres' || skipped !== null)(title, () => body(TEST_ENGINE));
}
