import { type Sql, type SqlValue, storableText } from '../../db/index.ts';
import type { Filter } from '../build-filter.ts';
import type { VectorPage } from './vector-table.ts';

/** Which vectors can be compared: those of an embedder that have so many numbers. */
export interface ComparableVectors {
  readonly embedder: string;
  readonly size: number;
}

/** Vectors of a page, and what the page ends with. */
export interface ReadVectors {
  readonly page: VectorPage;
  readonly last: { readonly id: string; readonly startedAtMs: number; readonly changedIn: number };
}

/** Vectors that were written by a transaction, or by later ones. */
export interface VectorChanges {
  readonly projectId: string;
  readonly environment: string;
  readonly after: { readonly changedIn: number; readonly id: string };
}

// Two megabytes at a time: memory stays small, and other work gets its turn in between.
const PAGE_ROWS = 2_000;

/** The vectors of the first conversations that meet a filter, in the list's order; null when there are none. */
export async function readVectors(
  sql: Sql,
  { where, params }: Filter,
  comparable: ComparableVectors,
): Promise<ReadVectors | null> {
  const at = params.length;
  // The conversations are chosen first. In one join the planner would read all vectors for every page.
  return await readPage(
    sql,
    `SELECT found.id, found.started_at, v.vector, 0 AS changed_in
       FROM (SELECT c.id, c.started_at FROM conversations c
              WHERE ${where}
              ORDER BY c.started_at, c.id
              LIMIT ${PAGE_ROWS}) found
       LEFT JOIN conversation_vectors v ON v.conversation_id = found.id AND v.embedder = $${at + 1}
      ORDER BY found.started_at, found.id`,
    [...params, comparable.embedder],
    comparable.size,
  );
}

/** The first of the vectors that have changed; null when there are none. */
export async function readChangedVectors(
  sql: Sql,
  { projectId, environment, after }: VectorChanges,
  comparable: ComparableVectors,
): Promise<ReadVectors | null> {
  return await readPage(
    sql,
    `SELECT found.id, c.started_at, found.vector, found.changed_in
       FROM (SELECT v.conversation_id AS id, v.vector, v.changed_in FROM conversation_vectors v
              WHERE (v.changed_in, v.conversation_id) > ($1::bigint, $2) AND v.embedder = $3
              ORDER BY v.changed_in, v.conversation_id
              LIMIT ${PAGE_ROWS}) found
       LEFT JOIN conversations c ON c.id = found.id AND c.project_id = $4 AND c.environment = $5
      ORDER BY found.changed_in, found.id`,
    [after.changedIn, after.id, comparable.embedder, projectId, storableText(environment)],
    comparable.size,
  );
}

type PageRow = {
  readonly ids: readonly string[] | null;
  readonly started_at_ms: readonly number[] | null;
  readonly vectors: string | null;
  readonly last_id: string | null;
  readonly last_started_at: number | null;
  readonly last_changed_in: number | null;
};

async function readPage(
  sql: Sql,
  rows: string,
  params: readonly SqlValue[],
  size: number,
): Promise<ReadVectors | null> {
  const comparable = `FILTER (WHERE started_at IS NOT NULL AND length(vector) = $${params.length + 1}::int)`;
  // One row with everything, because two thousand rows would cost the platform's thread more than what is in them.
  const [row] = await sql.query<PageRow>(
    `SELECT json_agg(id) ${comparable} AS ids,
            json_agg(started_at) ${comparable} AS started_at_ms,
            encode(string_agg(vector, '') ${comparable}, 'base64') AS vectors,
            (array_agg(id))[count(*)] AS last_id,
            (array_agg(started_at))[count(*)] AS last_started_at,
            (array_agg(changed_in))[count(*)] AS last_changed_in
       FROM (${rows}) page`,
    [...params, size * Float32Array.BYTES_PER_ELEMENT],
  );
  if (row === undefined || row.last_id === null) return null;
  return {
    page: { ids: row.ids ?? [], startedAtMs: row.started_at_ms ?? [], vectors: row.vectors ?? '' },
    last: {
      id: row.last_id,
      startedAtMs: row.last_started_at ?? 0,
      changedIn: row.last_changed_in ?? 0,
    },
  };
}
