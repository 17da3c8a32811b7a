import type { QueryOptions, Sql, SqlValue } from '../../db/index.ts';
import { BatchLoader } from '../../db/index.ts';

type Read = {
  /** Equal for equal statements with equal values. */
  readonly key: string;
  readonly run: () => Promise<readonly object[]>;
};

// Reads of one group that differ. They run at the same time, so this is also what a flood of them takes of the database.
const MAX_READS = 16;
// Equal ones cost nothing.
const MAX_CALLERS = 1_000;

/**
 * The same database, where equal reads that wait at the same time are one. For the reads that every request begins with: many
 * callers that come at once, or one who floods, cost a few statements. No read is answered from before it was asked for.
 * Only for reads: a statement that changes something would be run once for all who asked for it.
 */
export function shareReads(sql: Sql): Sql {
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
      // The rows of the caller's own statement.
      return (await reads.get({ key, run: () => sql.query(text, params, options) })) as readonly Row[];
    },
    tx: (run) => sql.tx(run),
  };
}
