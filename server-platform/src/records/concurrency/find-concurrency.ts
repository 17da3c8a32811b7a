import { type Database, type SqlValue, storableText } from '../../db/index.ts';
import { readAhead } from '../../realtime/event-log/index.ts';
import { INTERVAL_MS, Sweep } from './sweep.ts';

/** A range in steps of 5 minutes, with filters. */
export interface ConcurrencyRange {
  readonly projectId: string;
  readonly environment: string;
  /** Start, included. */
  readonly fromMs: number;
  /** End, excluded. */
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

type SpansRow = {
  readonly variant_id: string;
  readonly variant_name: string;
  /** Start and end of every conversation as milliseconds after the range's start, two int4 each, unordered. */
  readonly spans: string;
};

type Part = { readonly sinceMs: number; readonly untilMs: number };

/** Conversations that are counted together. */
type Series = {
  readonly variantId: string;
  variantName: string;
  readonly sweep: Sweep;
};

// Longer conversations have their own index: see `conversations_long_idx`.
const DAY_MS = 86_400_000;

// Range per statement. The embedded database runs one statement at a time: at a million conversations a week, this is
// twelve thousand of them in about ten milliseconds, with other statements in between. A server runs statements
// concurrently.
const PART_MS = { pglite: DAY_MS / 12, postgres: DAY_MS / 4 } as const;

/**
 * The exact peak of every interval of a range, dense, by time, then by variant.
 *
 * The database sends the conversations of a few hours at a time, eight bytes each, and the counting happens here,
 * because it takes a tenth of the database's time. Source: CC-1 to CC-3.
 */
export async function findConcurrency(database: Database, range: ConcurrencyRange): Promise<readonly Peak[]> {
  const { fromMs, toMs, isByVariant } = range;
  const all = new Map<string, Series>();
  const intervals = Math.round((toMs - fromMs) / INTERVAL_MS);
  if (!isByVariant) all.set('', { variantId: '', variantName: '', sweep: new Sweep(intervals) });
  const read = async (part: Part) => ({ ...part, rows: await readSpans(database, range, part) });
  for await (const { untilMs, rows } of readAhead(partsOf(range, database), read)) {
    for (const { variant_id, variant_name, spans } of rows) {
      const series = all.get(variant_id) ?? {
        variantId: variant_id,
        variantName: variant_name,
        sweep: new Sweep(intervals),
      };
      all.set(variant_id, series);
      if (variant_name > series.variantName) series.variantName = variant_name;
      series.sweep.add(spans);
    }
    for (const { sweep } of all.values()) sweep.advance((untilMs - fromMs) / INTERVAL_MS);
  }
  // Sorted by bytes, independent of language.
  const ordered = [...all.values()].sort((a, b) =>
    Buffer.compare(Buffer.from(a.variantId), Buffer.from(b.variantId)),
  );
  return Array.from({ length: intervals }, (_, index) =>
    ordered.map(({ variantId, variantName, sweep }) => ({
      atMs: fromMs + index * INTERVAL_MS,
      variantId,
      variantName,
      peak: sweep.peaks[index] ?? 0,
    })),
  ).flat();
}

/** Start and end of the parts of a range, which are read one after the other. */
function partsOf({ fromMs, toMs }: ConcurrencyRange, { engine }: Database): readonly Part[] {
  const parts: Part[] = [];
  for (let sinceMs = fromMs; sinceMs < toMs; sinceMs += PART_MS[engine]) {
    parts.push({ sinceMs, untilMs: Math.min(sinceMs + PART_MS[engine], toMs) });
  }
  return parts;
}

/**
 * Reads the conversations that started in a part of the range. The first part includes those that started before, found
 * by three conditions with an index each: the day before, longer ones, and open ones.
 */
async function readSpans(
  database: Database,
  range: ConcurrencyRange,
  { sinceMs, untilMs }: Part,
): Promise<readonly SpansRow[]> {
  const { projectId, environment, fromMs, toMs, nowMs, isByVariant } = range;
  const params: SqlValue[] = [projectId, environment, fromMs, toMs, nowMs, sinceMs, untilMs];
  const bind = (value: string): string => `$${params.push(storableText(value))}`;
  const filters = [
    range.variantId === undefined ? '' : `AND c.variant_id = ${bind(range.variantId)}`,
    range.variantName === undefined ? '' : `AND c.variant_name = ${bind(range.variantName)}`,
    range.language === undefined ? '' : `AND c.language = ${bind(range.language)}`,
    range.phoneNumber === undefined ? '' : `AND c.to_number = ${bind(range.phoneNumber)}`,
  ].join(' ');
  const select = `
    SELECT ${isByVariant ? 'c.variant_id, c.variant_name,' : ''}
           greatest(c.started_at, $3::bigint) - $3::bigint AS since,
           least(COALESCE(c.ended_at, $5::bigint), $5::bigint, $4::bigint) - $3::bigint AS until
      FROM conversations c
     WHERE c.project_id = $1 AND c.environment = $2 ${filters}`;
  const before = `
    UNION ALL
    ${select} AND c.started_at >= $3::bigint - ${DAY_MS} AND c.started_at < $3::bigint
    UNION ALL
    ${select} AND c.started_at < $3::bigint - ${DAY_MS}
       AND c.ended_at - c.started_at > ${DAY_MS} AND c.ended_at > $3::bigint
    UNION ALL
    ${select} AND c.started_at < $3::bigint - ${DAY_MS} AND c.ended_at IS NULL`;
  return await database.query<SpansRow>(
    `SELECT ${isByVariant ? 'variant_id, max(variant_name) AS variant_name' : `'' AS variant_id, '' AS variant_name`},
            encode(string_agg(int8send(since << 32 | until), ''), 'base64') AS spans
       FROM (
         ${select} AND c.started_at >= $6::bigint AND c.started_at < $7::bigint
         ${sinceMs === fromMs ? before : ''}
       ) part
      WHERE until > since
      ${isByVariant ? 'GROUP BY variant_id' : 'HAVING count(*) > 0'}`,
    params,
    // The embedded database takes longer than a server to plan each part anew; a server also plans for each part's
    // hours.
    { prepare: database.engine === 'pglite' },
  );
}
