import { and, desc, eq, lt, notInArray } from 'drizzle-orm';
import { type EvaluationFailure, evaluationRuns, queryBuilder, type Sql } from '../../db/index.ts';
import type { ArticleScope } from './article-versions.ts';

/** Result of an evaluation. */
export interface EvaluationRun {
  readonly id: number;
  /** The article tried as a draft; null: the published articles. */
  readonly draftSlug: string | null;
  readonly author: string;
  readonly createdAtMs: number;
  readonly total: number;
  readonly passed: number;
}

const KEPT = 20;

const { id, projectId, agent, draftSlug, author, createdAt, total, passed, failures } = evaluationRuns;
const SUMMARY = { id, draftSlug, author, createdAtMs: createdAt, total, passed };

const inScope = (scope: ArticleScope) => and(eq(projectId, scope.projectId), eq(agent, scope.agent));

/** Returns the stored runs, newest first. */
export async function listRuns(sql: Sql, scope: ArticleScope): Promise<readonly EvaluationRun[]> {
  return await queryBuilder(sql)
    .select(SUMMARY)
    .from(evaluationRuns)
    .where(inScope(scope))
    .orderBy(desc(id))
    .limit(KEPT);
}

/** Returns a run with its failures, and the previous run. Null: unknown run. */
export async function findRun(sql: Sql, scope: ArticleScope, wanted: number) {
  const select = () =>
    queryBuilder(sql)
      .select({ ...SUMMARY, failures })
      .from(evaluationRuns);
  const [run] = await select().where(and(inScope(scope), eq(id, wanted)));
  if (run === undefined) return null;
  const [before = null] = await select()
    .where(and(inScope(scope), lt(id, wanted)))
    .orderBy(desc(id))
    .limit(1);
  return { run, before };
}

/** Stores a run, and removes the oldest ones. Resolves with its id. */
export async function addRun(
  sql: Sql,
  scope: ArticleScope,
  run: Omit<EvaluationRun, 'id'> & { readonly failures: readonly EvaluationFailure[] },
): Promise<number> {
  const { createdAtMs, ...fields } = run;
  return await sql.tx(async (tx) => {
    const [added] = await queryBuilder(tx)
      .insert(evaluationRuns)
      .values({ ...scope, ...fields, createdAt: createdAtMs })
      .returning({ id });
    const kept = (await listRuns(tx, scope)).map((each) => each.id);
    await queryBuilder(tx)
      .delete(evaluationRuns)
      .where(and(inScope(scope), notInArray(id, kept)));
    return added?.id ?? 0;
  });
}
