import type { ConversationsQuery } from '@natter/sdk';
import type { Sql } from '../../db/index.ts';
import { buildFilter, type ListOrder } from './build-filter.ts';
import type { ListPosition } from './conversation-cursor.ts';

/** The conversations of a page, in order, and the position of the next page. */
export interface FoundPage {
  readonly ids: readonly string[];
  /** Start of the next page; null at the end, and for retrieval modes without further pages (CV-8). */
  readonly next: ListPosition | null;
}

type PageRow = { readonly ids: readonly string[] | null; readonly last_started_at: number | null };

/**
 * Finds all matching conversations, or the hits of a transcript search, from an offset or a position on. Source: CV-3 to CV-6.
 */
export async function findPage(
  sql: Sql,
  projectId: string,
  query: ConversationsQuery,
  after: ListPosition | null,
  order: ListOrder = 'oldest',
): Promise<FoundPage> {
  const { where, params } = buildFilter(projectId, query, after, order);
  const direction = order === 'oldest' ? 'ASC' : 'DESC';
  // One more than the page has, to detect another page. In one row, because transferring thousands of rows costs more
  // than finding them.
  const [row] = await sql.query<PageRow>(
    `SELECT json_agg(id) AS ids, (array_agg(started_at))[$${params.length + 3}::int] AS last_started_at
       FROM (SELECT c.id, c.started_at FROM conversations c
              WHERE ${where}
              ORDER BY c.started_at ${direction}, c.id ${direction}
              LIMIT $${params.length + 1}::bigint OFFSET $${params.length + 2}::bigint) page`,
    [...params, query.limit + 1, after === null ? query.offset : 0, query.limit],
  );
  const found = row?.ids ?? [];
  const ids = found.slice(0, query.limit);
  const last = found.length > query.limit ? ids.at(-1) : undefined;
  const startedAtMs = row?.last_started_at ?? null;
  return { ids, next: last === undefined || startedAtMs === null ? null : { startedAtMs, id: last } };
}

/** A random selection of `limit` matching conversations. Source: CV-3, CV-8. */
export async function findRandom(sql: Sql, projectId: string, query: ConversationsQuery): Promise<FoundPage> {
  const { where, params } = buildFilter(projectId, query);
  const rows = await sql.query<{ readonly id: string }>(
    `SELECT chosen.id
       FROM (SELECT c.id, c.started_at FROM conversations c WHERE ${where}
              ORDER BY random() LIMIT $${params.length + 1}::bigint) chosen
      ORDER BY chosen.started_at, chosen.id`,
    [...params, query.limit],
  );
  return { ids: rows.map(({ id }) => id), next: null };
}
