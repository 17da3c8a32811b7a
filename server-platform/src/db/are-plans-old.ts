// Planning an append takes half a millisecond to three of the database's time, while a whole group waits.
const FIRST_PLAN_USES = 100;
const MAX_USES_PER_PLAN = 10_000;

/**
 * Whether a connection's prepared statements should be planned anew after this many uses: after 100, 200, 400, …, and
 * after every 10,000. A plan assumes the table sizes at its time, so replanning follows tables that grow from nothing
 * to millions of rows.
 */
export function arePlansOld(uses: number): boolean {
  const doublings = Math.log2(uses / FIRST_PLAN_USES);
  return uses % MAX_USES_PER_PLAN === 0 || (doublings >= 0 && Number.isInteger(doublings));
}
