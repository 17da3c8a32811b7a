import type { QueryOptions, Sql, SqlValue } from '../../db/index.ts';
import { BatchLoader } from '../../db/index.ts';

type Read = {
  /** Equal for equal statements with equal values. */
  readonly key: string;
  readonly run: () => Promise<readonly object[]>;
};

// Distinct reads per batch. They run concurrently, so this bounds the database load of a flood.
const MAX_READS = 16;
// Equal reads cost nothing.
const MAX_CALLERS = 1_000;

/**
 * Wraps a database so that equal reads that wait at the same time run once. For the reads at the start of every
 * request: many concurrent callers, or one that floods, cost a few statements. No result is older than its request.
 * Never use it for writes: a statement would run once for all its callers.
 */
export function coalesceReads(sql: Sql): Sql {
  const reads = new BatchLoader<Read, readonly object[]>({
    maxKeys: MAX_CALLERS,
    async read(asked) {
      const found = new Map<string, readonly object[]>();
      const different = [...new Map(asked.map((read) => [read.key, read])).values()];
      for (let start = 0; start < different.length; start += MAX_READS) {
        await Promise.all(
          different
            .slice(start, start + MAX_READS)
            .map(async ({ key, run }) => void found.set(key, await run())),
        );
      }
      return asked.map(({ key }) => found.get(key) ?? []);
    },
  });
  return {
    async query<Row extends object>(
      text: string,
      params: readonly SqlValue[] = [],
      options?: QueryOptions,
    ): Promise<readonly Row[]> {
      const key = JSON.stringify([text, params, options?.rows]);
      // The caller gets its own statement's rows.
      return (await reads.get({ key, run: () => sql.query(text, params, options) })) as readonly Row[];
    },
    tx: (run) => sql.tx(run),
  };
}
