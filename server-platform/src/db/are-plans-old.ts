// Half a millisecond to three of the database's time go into the plan of an append, in which a whole group waits.
const FIRST_PLAN_USES = 100;
const MAX_USES_PER_PLAN = 10_000;

/**
 * Whether the kept statements of a connection are to be planned anew after so many uses: after 100, 200, 400, …, and after
 * every 10,000. A kept statement is planned for the sizes its tables have then. So the plans follow tables that grow from
 * nothing to millions of rows.
 */
export function arePlansOld(uses: number): boolean {
  const doublings = Math.log2(uses / FIRST_PLAN_USES);
  return uses % MAX_USES_PER_PLAN === 0 || (doublings >= 0 && Number.isInteger(doublings));
}
