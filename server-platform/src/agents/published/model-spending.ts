import type { Sql } from '../../db/index.ts';
import type { Spending, SpendingStore } from '../llm/model-guard.ts';

/** Keeps in the database what projects spend on models, for all nodes and beyond a restart. */
export function createSpendingStore(sql: Sql): SpendingStore {
  return {
    async read(projectId, day) {
      const [row] = await sql.query<Spending>(
        'SELECT tokens, cost FROM model_spending WHERE project_id = $1 AND day = $2',
        [projectId, day],
      );
      return row ?? { tokens: 0, cost: 0 };
    },
    async add(projectId, day, { tokens, cost }) {
      // The day before may go on for an agent in another time zone.
      const [row] = await sql.query<Spending>(
        `WITH past AS (DELETE FROM model_spending WHERE project_id = $1 AND day < $2::integer - 1)
         INSERT INTO model_spending (project_id, day, tokens, cost) VALUES ($1, $2, $3, $4)
         ON CONFLICT (project_id, day)
         DO UPDATE SET tokens = model_spending.tokens + excluded.tokens, cost = model_spending.cost + excluded.cost
         RETURNING tokens, cost`,
        [projectId, day, tokens, cost],
      );
      return row ?? { tokens, cost };
    },
  };
}
