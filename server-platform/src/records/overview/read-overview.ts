import type { Sql } from '../../db/index.ts';
import { groupByTopic, type Question } from './group-by-topic.ts';
import type { Overview } from './overview.ts';

/** The scope of an overview. Null: all variants, all languages. */
export interface OverviewScope {
  readonly projectId: string;
  readonly environment: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Length of the intervals that conversations are counted in. */
  readonly bucketMs: number;
  readonly variantId: string | null;
  readonly language: string | null;
  /** Whether what visitors asked may be shown. */
  readonly showsWords: boolean;
}

// They stand for the others, spread over the range: reading all of a month takes seconds on the embedded database.
const MAX_TURNS = 10_000;
const MAX_QUESTIONS = 500;
// More says nothing about a topic; the others could fill the memory of the node.
const QUESTION_CHARACTERS = 300;
// Variants and languages of an interval, the most frequent ones; visitors can name any language.
const MAX_PARTS = 50;

const IN_SCOPE = `project_id = $1 AND environment = $2
  AND ($5::text IS NULL OR variant_id = $5) AND ($6::text IS NULL OR language = $6)`;

const CONVERSATIONS = `
  SELECT bucket, sum(n)::int AS conversations, sum(handoffs)::int AS handoffs,
         json_agg(json_build_array(variant_name, language, n)) FILTER (WHERE place <= ${MAX_PARTS}) AS parts
    FROM (SELECT started_at / $7::bigint * $7::bigint AS bucket, left(variant_name, 100) AS variant_name, language,
                 count(*)::int AS n, count(handoff_at)::int AS handoffs,
                 row_number() OVER (PARTITION BY started_at / $7::bigint ORDER BY count(*) DESC) AS place
            FROM conversations WHERE ${IN_SCOPE} AND started_at >= $3 AND started_at < $4
           GROUP BY started_at / $7::bigint, 2, 3) grouped
   GROUP BY bucket ORDER BY bucket`;

const LATEST = `
  WITH latest AS MATERIALIZED (
    SELECT t.* FROM generate_series($3::bigint / $7::bigint * $7::bigint, $4::bigint, $7::bigint) b
     CROSS JOIN LATERAL (
      SELECT conversation_id, recorded_at, latency_ms, is_ood, user_input, metrics::text AS metrics
        FROM conversation_turns
       WHERE recorded_at >= greatest(b, $3::bigint) AND recorded_at < least(b + $7::bigint, $4::bigint)
       ORDER BY recorded_at DESC LIMIT $8) t
  ), scoped AS (
    SELECT latest.* FROM latest CROSS JOIN LATERAL (
      SELECT 1 FROM conversations WHERE id = conversation_id AND ${IN_SCOPE} OFFSET 0) c
  )`;

// The row without an interval is about all of them.
const TURNS = `${LATEST}
  SELECT recorded_at / $7::bigint * $7::bigint AS bucket, count(*)::int AS turns,
         percentile_disc(0.5) WITHIN GROUP (ORDER BY latency_ms) AS p50,
         percentile_disc(0.95) WITHIN GROUP (ORDER BY latency_ms) AS p95,
         count(*) FILTER (WHERE metrics LIKE '%"FEEDBACK"%rating_":_"up_"%')::int AS up,
         count(*) FILTER (WHERE metrics LIKE '%"FEEDBACK"%rating_":_"down_"%')::int AS down,
         count(*) FILTER (WHERE is_ood)::int AS unanswered,
         count(score)::int AS scored, avg(score)::float8 AS score
    FROM (SELECT *, substring(metrics FROM '"CSAT_SCORE" *: *"?([0-9]{1,3}(?:[.][0-9]+)?)"?[,}]')::numeric AS score
            FROM scoped) scored GROUP BY GROUPING SETS ((1), ()) ORDER BY 1`;

const QUESTIONS = `${LATEST}
  SELECT left(user_input, ${QUESTION_CHARACTERS}) AS question, conversation_id AS id FROM scoped
   WHERE is_ood AND user_input <> '' ORDER BY recorded_at DESC LIMIT ${MAX_QUESTIONS}`;

/** Reads the overview of a project: three statements, each bounded by the range or by {@link MAX_TURNS}. */
export async function readOverview(sql: Sql, scope: OverviewScope): Promise<Overview> {
  const { projectId, environment, fromMs, toMs, variantId, language, bucketMs } = scope;
  const params = [projectId, environment, fromMs, toMs, variantId, language, bucketMs];
  const perBucket = Math.floor(MAX_TURNS / Math.ceil((toMs - fromMs) / bucketMs + 1));
  const [counted, turns, questions] = await Promise.all([
    sql.query<CountedRow>(CONVERSATIONS, params),
    sql.query<Overview['turns'][number]>(TURNS, [...params, perBucket]),
    scope.showsWords ? sql.query<Question>(QUESTIONS, [...params, perBucket]) : [],
  ]);
  return {
    ...{ from_ms: fromMs, to_ms: toMs, bucket_ms: bucketMs },
    buckets: counted.map(({ bucket, conversations, handoffs, parts }) => ({
      ...{ bucket, conversations, handoffs },
      variants: sumBy(parts, ([variant]) => variant),
      languages: sumBy(parts, ([, tag]) => tag),
    })),
    turns: turns.filter(({ bucket }) => bucket !== null),
    total: turns.find(({ bucket }) => bucket === null) ?? null,
    topics: await groupByTopic(questions),
  };
}

type Part = readonly [variant: string, language: string, count: number];

interface CountedRow {
  readonly bucket: number;
  readonly conversations: number;
  readonly handoffs: number;
  readonly parts: readonly Part[];
}

function sumBy(parts: readonly Part[], nameOf: (part: Part) => string): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const part of parts) {
    const name = nameOf(part) || 'none';
    sums.set(name, (sums.get(name) ?? 0) + part[2]);
  }
  return Object.fromEntries(sums);
}
