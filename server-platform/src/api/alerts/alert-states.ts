import type { AlertState } from '@natter/sdk';
import { and, asc, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import { alertRuleStates, queryBuilder, type Sql } from '../../db/index.ts';

// Longer than deliveries can be inspected; a flapping rule writes at most one row a minute.
const KEPT_MS = 30 * 86_400_000;
// Limit for all rules of an account in one response.
const MOST_READ = 5_000;

/** A state change of a rule. `changed`: the rule was changed and has not been evaluated since. */
export interface AlertStateChange {
  readonly ruleId: string;
  readonly state: AlertState | 'changed';
  /** The measured value; null: no measurement. */
  readonly value: number | null;
  readonly atMs: number;
}

/** Records a state change of a rule, in the same transaction. */
export async function noteAlertState(
  sql: Sql,
  { ruleId, state, value, atMs }: AlertStateChange,
): Promise<void> {
  const build = queryBuilder(sql);
  await build
    .delete(alertRuleStates)
    .where(and(eq(alertRuleStates.ruleId, ruleId), lt(alertRuleStates.at, atMs - KEPT_MS)));
  await build.insert(alertRuleStates).values({ ruleId, state, value, at: atMs });
}

/** State changes of rules since a given time, and each rule's state at that time; oldest first. */
export async function listAlertStates(
  sql: Sql,
  ruleIds: readonly string[],
  sinceMs: number,
): Promise<readonly AlertStateChange[]> {
  const { ruleId, state, value, at, id } = alertRuleStates;
  const columns = { ruleId, state, value, atMs: at };
  const isOne = inArray(ruleId, [...ruleIds]);
  const build = queryBuilder(sql);
  const before = await build
    .selectDistinctOn([ruleId], columns)
    .from(alertRuleStates)
    .where(and(isOne, lt(at, sinceMs)))
    .orderBy(ruleId, desc(at), desc(id));
  const since = await build
    .select(columns)
    .from(alertRuleStates)
    .where(and(isOne, gte(at, sinceMs)))
    .orderBy(asc(at), asc(id))
    .limit(MOST_READ);
  return [...before, ...since];
}
