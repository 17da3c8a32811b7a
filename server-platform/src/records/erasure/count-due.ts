import type { RetentionDays } from '../../accounts/index.ts';
import type { Sql } from '../../db/index.ts';
import { RETENTION_KINDS } from './retention-kinds.ts';

/** Limit up to which due data is counted. */
export const MAX_COUNTED_DUE = 1_000;

const DAY_MS = 86_400_000;

/** A kind of data, its retention, and the amount that is due for removal. */
export interface DueData {
  readonly kind: keyof RetentionDays;
  /** Null: forever. */
  readonly days: number | null;
  /** At most {@link MAX_COUNTED_DUE}. */
  readonly due: number;
}

/** Counts the data that the next retention run will remove from a project. */
export async function countDue(
  sql: Sql,
  projectId: string,
  retention: RetentionDays,
  nowMs: number,
): Promise<readonly DueData[]> {
  return await Promise.all(
    RETENTION_KINDS.map(async ({ name, list }) => {
      const days = retention[name];
      if (days === null) return { kind: name, days, due: 0 };
      const scope = {
        projectId,
        beforeMs: nowMs - days * DAY_MS,
        limit: MAX_COUNTED_DUE,
        except: [],
        waits: false,
      };
      return { kind: name, days, due: (await list(sql, scope)).length };
    }),
  );
}
