import { expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { Sql } from '../../db/sql.ts';
import { APPEND_EVENTS, APPEND_WITH_EFFECTS, APPEND_WITH_RECORDS } from './append-sql.ts';

type Plan = {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'CTE Name'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly Plan[];
};

// Subqueries of the statements that have a row per request or session of a group.
const LISTS: readonly (string | undefined)[] = ['share', 'request', 'repeated', 'counted', 'moved', 'done'];
// Plan nodes that a nested loop reads from start to end for every row of its other side.
const WHOLE_SCANS: readonly string[] = ['CTE Scan', 'Function Scan', 'Materialize', 'Seq Scan'];

describeStorage('plans of appends', ({ open }) => {
  it.for([
    { what: 'events alone', text: APPEND_EVENTS },
    { what: 'effects', text: APPEND_WITH_EFFECTS },
    { what: 'records', text: APPEND_WITH_RECORDS },
  ])('compare no request with every other: $what', async ({ text }) => {
    const { database, close } = await open();
    const plan = await database.tx((sql) => explainKept(sql, text)).finally(close);
    const scans = listAll(plan).filter((part) => LISTS.includes(part['CTE Name']));
    expect(scans.length).toBeGreaterThan(1);
    // When the planner expects one row, a nested loop looks as cheap as a hash join.
    expect(scans.filter((scan) => scan['Plan Rows'] <= 1)).toEqual([]);
    expect(listAll(plan).filter(comparesEachWithEach)).toEqual([]);
  });
});

/** Statistics of an earlier test would change the estimates; TRUNCATE resets the row counts. */
async function forgetStatistics(sql: Sql): Promise<void> {
  await sql.query('TRUNCATE accounts, sessions, events, turns, conversations CASCADE');
}

/** Explains the generic plan, as a prepared statement uses it. */
async function explainKept(sql: Sql, text: string): Promise<Plan> {
  const count = Math.max(...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
  await forgetStatistics(sql);
  await sql.query('SET LOCAL plan_cache_mode = force_generic_plan');
  await sql.query(`PREPARE explained AS ${text}`);
  const values = Array.from({ length: count }, () => 'NULL').join(', ');
  const rows = await sql.query<Record<'QUERY PLAN', readonly { readonly Plan: Plan }[]>>(
    `EXPLAIN (FORMAT JSON) EXECUTE explained (${values})`,
  );
  await sql.query('DEALLOCATE explained');
  const [explained] = rows[0]?.['QUERY PLAN'] ?? [];
  if (explained === undefined) throw new Error('no plan');
  return explained.Plan;
}

function listAll(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(listAll)];
}

function comparesEachWithEach(plan: Plan): boolean {
  const inner = plan.Plans?.find((child) => child['Parent Relationship'] === 'Inner');
  return (
    plan['Node Type'] === 'Nested Loop' && inner !== undefined && WHOLE_SCANS.includes(inner['Node Type'])
  );
}
