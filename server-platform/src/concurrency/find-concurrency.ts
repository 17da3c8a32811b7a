import { type Database, type SqlValue, storableText } from '../db/index.ts';

/** Length of an interval, in milliseconds. Source: section 5. */
export const INTERVAL_MS = 300_000;

/** A range on the marks of 5 minutes, and what to count in it. */
export interface ConcurrencyRange {
  readonly projectId: string;
  readonly environment: string;
  /** On a mark, included. */
  readonly fromMs: number;
  /** On a mark, excluded. */
  readonly toMs: number;
  readonly nowMs: number;
  readonly variantId?: string | undefined;
  readonly variantName?: string | undefined;
  readonly language?: string | undefined;
  /** The agent's number. */
  readonly phoneNumber?: string | undefined;
  /** One series for each variant that had a conversation in the range. */
  readonly isByVariant: boolean;
}

/** The peak of an interval; without slices the variant is empty. */
export interface Peak {
  readonly atMs: number;
  readonly variantId: string;
  readonly variantName: string;
  readonly peak: number;
}

type PeakRow = {
  readonly at: number;
  readonly variant_id?: string;
  readonly variant_name?: string;
  readonly peak: number;
};

// The index of conversations that lasted longer is for these: see `conversations_long_idx`.
const DAY_MS = 86_400_000;

/**
 * The exact peak of every interval of a range, dense, by time, then by variant.
 *
 * The sweep: each conversation is one more at its begin and one less at its end, everything at one instant together, so
 * that one which ends as another begins does not overlap it. The marks are instants as well, without a change, so that
 * what is open when an interval begins counts in it. Source: CC-1 to CC-3.
 */
export async function findConcurrency(database: Database, range: ConcurrencyRange): Promise<readonly Peak[]> {
  const params: SqlValue[] = [range.projectId, range.environment, range.fromMs, range.toMs, range.nowMs];
  const bind = (value: string): string => `$${params.push(storableText(value))}`;
  const filters = [
    range.variantId === undefined ? '' : `AND c.variant_id = ${bind(range.variantId)}`,
    range.variantName === undefined ? '' : `AND c.variant_name = ${bind(range.variantName)}`,
    range.language === undefined ? '' : `AND c.language = ${bind(range.language)}`,
    range.phoneNumber === undefined ? '' : `AND c.to_number = ${bind(range.phoneNumber)}`,
  ].join(' ');
  const rows = await database.tx(async (sql) => {
    // A week of a million conversations is sorted in memory, once.
    await sql.query("SET LOCAL work_mem = '256MB'");
    return await sql.query<PeakRow>(sweep(filters, range.isByVariant), params);
  });
  return rows.map((row) => ({
    atMs: row.at,
    variantId: row.variant_id ?? '',
    variantName: row.variant_name ?? '',
    peak: row.peak,
  }));
}

/**
 * `span`: the part of each conversation in the range, found by three conditions that each have an index: those that
 * began in the range or in the day before, those that lasted longer, and those that are still going on.
 *
 * `level`: how many are open after each instant. The window's frame holds everything up to the instant, its peers
 * included, whatever their order.
 */
function sweep(filters: string, isByVariant: boolean): string {
  // Bytes decide the order of variants, not the database's language: faster, and the same everywhere.
  const variant = isByVariant ? `c.variant_id COLLATE "C" AS variant_id, c.variant_name,` : '';
  const select = `SELECT ${variant}
           greatest(c.started_at, $3::bigint) AS since,
           least(COALESCE(c.ended_at, $5::bigint), $5::bigint) AS until
      FROM conversations c
     WHERE c.project_id = $1 AND c.environment = $2 ${filters}`;
  const span = `span AS MATERIALIZED (
  SELECT * FROM (
    ${select} AND c.started_at >= $3::bigint - ${DAY_MS} AND c.started_at < $4::bigint
    UNION ALL
    ${select} AND c.started_at < $3::bigint - ${DAY_MS}
       AND c.ended_at - c.started_at > ${DAY_MS} AND c.ended_at > $3::bigint
    UNION ALL
    ${select} AND c.started_at < $3::bigint - ${DAY_MS} AND c.ended_at IS NULL
  ) part
  WHERE until > since
)`;
  return isByVariant ? sweepByVariant(span) : sweepTogether(span);
}

function sweepTogether(span: string): string {
  return `
WITH ${span}, level AS (
  SELECT at, sum(delta) OVER (ORDER BY at) AS open
    FROM (
      SELECT since AS at, 1 AS delta FROM span
      UNION ALL
      SELECT until, -1 FROM span WHERE until < $4::bigint
      UNION ALL
      SELECT at, 0 FROM generate_series($3::bigint, $4::bigint - 1, ${INTERVAL_MS}) AS at
    ) change
)
SELECT ${MARK} AS at, max(open)::int AS peak FROM level GROUP BY 1 ORDER BY 1`;
}

/** Variants are sorted by their number: texts would make the sort several times as large and slow. */
function sweepByVariant(span: string): string {
  return `
WITH ${span}, series AS MATERIALIZED (
  SELECT variant_id, max(variant_name) AS variant_name, (row_number() OVER (ORDER BY variant_id))::int AS number
    FROM span
   GROUP BY variant_id
), numbered AS MATERIALIZED (
  SELECT number, since, until FROM span JOIN series USING (variant_id)
), level AS (
  SELECT number, at, sum(delta) OVER (PARTITION BY number ORDER BY at) AS open
    FROM (
      SELECT number, since AS at, 1 AS delta FROM numbered
      UNION ALL
      SELECT number, until, -1 FROM numbered WHERE until < $4::bigint
      UNION ALL
      SELECT number, at, 0 FROM series, generate_series($3::bigint, $4::bigint - 1, ${INTERVAL_MS}) AS at
    ) change
), peak AS (
  SELECT ${MARK} AS at, number, max(open)::int AS peak FROM level GROUP BY 1, 2
)
SELECT at, variant_id, variant_name, peak FROM peak JOIN series USING (number) ORDER BY at, number`;
}

/** The mark at or before `at`. */
const MARK = `$3::bigint + (at - $3::bigint) / ${INTERVAL_MS} * ${INTERVAL_MS}`;
