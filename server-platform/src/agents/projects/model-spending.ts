import { and, eq, sql as fragment, lt } from 'drizzle-orm';
import { modelSpending, queryBuilder, type Sql } from '../../db/index.ts';
import type { SpendingStore } from '../llm/model-guard.ts';

const SPENDING = { tokens: modelSpending.tokens, cost: modelSpending.cost };

/** Keeps in the database what projects spend on models, for all nodes and beyond a restart. */
export function createSpendingStore(sql: Sql): SpendingStore {
  return {
    async read(projectId, day) {
      const [row] = await queryBuilder(sql)
        .select(SPENDING)
        .from(modelSpending)
        .where(and(eq(modelSpending.projectId, projectId), eq(modelSpending.day, day)));
      return row ?? { tokens: 0, cost: 0 };
    },
    async add(projectId, day, { tokens, cost }) {
      const build = queryBuilder(sql);
      const [row] = await build
        .insert(modelSpending)
        .values({ projectId, day, tokens, cost })
        .onConflictDoUpdate({
          target: [modelSpending.projectId, modelSpending.day],
          set: {
            tokens: fragment`${modelSpending.tokens} + excluded.tokens`,
            cost: fragment`${modelSpending.cost} + excluded.cost`,
          },
        })
        .returning(SPENDING);
      const isFirst = row?.tokens === tokens;
      // In another agent's time zone it may still be the day before.
      const isPast = and(eq(modelSpending.projectId, projectId), lt(modelSpending.day, day - 1));
      if (isFirst) await build.delete(modelSpending).where(isPast);
      return row ?? { tokens, cost };
    },
  };
}
