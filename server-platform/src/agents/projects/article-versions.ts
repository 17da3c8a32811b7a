import { and, desc, eq, sql as fragment } from 'drizzle-orm';
import { articleVersions, isDatabaseError, queryBuilder, type Sql } from '../../db/index.ts';

/** The articles of one agent in one project. */
export interface ArticleScope {
  readonly projectId: string;
  /** Name of the agent's configuration. */
  readonly agent: string;
}

/** A version of an article. */
export interface ArticleVersion {
  /** From 1; the highest is the current version. */
  readonly number: number;
  /** `published`: it has a text; `deleted`: there is no such article; `file`: the article of the file counts again. */
  readonly kind: 'published' | 'deleted' | 'file';
  /** As an article file is written; null unless published. */
  readonly source: string | null;
  /** The version that was published again. */
  readonly restoredFrom: number | null;
  /** Email address of the person. */
  readonly author: string;
  readonly createdAtMs: number;
}

/** The current version of an article. */
export type LatestVersion = ArticleVersion & { readonly slug: string };

const { projectId, agent, slug, number } = articleVersions;

const inScope = (scope: ArticleScope) => and(eq(projectId, scope.projectId), eq(agent, scope.agent));

/** The number of versions by project and agent. It changes whenever a version is added. */
export async function countVersions(
  sql: Sql,
): Promise<readonly (ArticleScope & { readonly versions: number })[]> {
  return await queryBuilder(sql)
    .select({ projectId, agent, versions: fragment<number>`count(*)::int` })
    .from(articleVersions)
    .groupBy(projectId, agent);
}

/** Returns the current version of every edited article. */
export async function listLatest(sql: Sql, scope: ArticleScope): Promise<readonly LatestVersion[]> {
  const rows = await queryBuilder(sql)
    .selectDistinctOn([slug])
    .from(articleVersions)
    .where(inScope(scope))
    .orderBy(slug, desc(number));
  return rows.map((row) => ({ ...toVersion(row), slug: row.slug }));
}

/** All versions of an article, the newest first. */
export async function listVersions(
  sql: Sql,
  scope: ArticleScope,
  article: string,
): Promise<readonly ArticleVersion[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(articleVersions)
    .where(and(inScope(scope), eq(slug, article)))
    .orderBy(desc(number));
  return rows.map(toVersion);
}

/** Adds a version after number `base`; 0: the first. False: another editor was faster. */
export async function addVersion(
  sql: Sql,
  scope: ArticleScope,
  article: string,
  base: number,
  version: Omit<ArticleVersion, 'number'>,
): Promise<boolean> {
  const { createdAtMs, ...fields } = version;
  const row = { ...scope, ...fields, slug: article, number: base + 1, createdAt: createdAtMs };
  try {
    // A number beyond the last one would leave a gap for another editor to fill.
    const [latest] = await listVersions(sql, scope, article);
    if ((latest?.number ?? 0) !== base) return false;
    await queryBuilder(sql).insert(articleVersions).values(row);
    return true;
  } catch (error) {
    if (isDatabaseError(error) && error.sqlState === '23505') return false;
    throw error;
  }
}

function toVersion(row: typeof articleVersions.$inferSelect): ArticleVersion {
  const { kind, source, restoredFrom, author, createdAt } = row;
  return { number: row.number, kind, source, restoredFrom, author, createdAtMs: createdAt };
}
