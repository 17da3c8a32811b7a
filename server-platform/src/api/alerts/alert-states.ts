import type { AlertState } from '@natter/sdk';
import { and, asc, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import { alertRuleStates, queryBuilder, type Sql } from '../../db/index.ts';

// As long as deliveries can be looked into, and longer: a rule that flaps writes a row a minute at most.
const KEPT_MS = 30 * 86_400_000;
// Of all rules of an account in one answer.
const MOST_READ = 5_000;

/** A state that a rule has entered. `changed`: the rule was changed, and not evaluated since. */
export interface AlertStateChange {
  readonly ruleId: string;
  readonly state: AlertState | 'changed';
  /** What decided; null: nothing was measured. */
  readonly value: number | null;
  readonly atMs: number;
}

/** Writes down that a rule has entered a state, in the transaction that puts it there. */
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

/** The states that rules have entered since a point in time, and the one each was in then; the oldest first. */
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
