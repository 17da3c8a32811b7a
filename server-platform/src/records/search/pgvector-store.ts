import type { Sql } from '../../db/index.ts';
import { buildFilter } from './build-filter.ts';
import type { VectorStore } from './vector-store.ts';

/** Stores vectors for comparison by the database. */
export function createPgvectorStore(sql: Sql, embedder: string): VectorStore {
  return {
    kind: 'pgvector',
    async put(tx, vectors) {
      await tx.query(
        `INSERT INTO conversation_vectors (conversation_id, embedder, embedding)
         SELECT id, $1, embedding::vector FROM unnest($2::text[], $3::text[]) AS t (id, embedding)
         ON CONFLICT (conversation_id) DO UPDATE
           SET embedder = EXCLUDED.embedder, embedding = EXCLUDED.embedding, vector = NULL`,
        [embedder, vectors.map(({ id }) => id), vectors.map(({ vector }) => toText(vector))],
      );
    },
    async findSimilar({ projectId, query, vector, limit }) {
      const { where, params } = buildFilter(projectId, query);
      const at = params.length;
      const rows = await sql.query<{ id: string }>(
        `SELECT nearest.id
           FROM (SELECT c.id, c.started_at
                   FROM conversations c
                   JOIN conversation_vectors v ON v.conversation_id = c.id
                  WHERE ${where}
                    AND v.embedder = $${at + 1} AND v.embedding IS NOT NULL
                  ORDER BY v.embedding <#> $${at + 2}::text::vector, c.id
                  LIMIT $${at + 3}::bigint) nearest
          ORDER BY nearest.started_at, nearest.id`,
        [...params, embedder, toText(vector), limit],
      );
      return { ids: rows.map(({ id }) => id), next: null };
    },
  };
}

/** In pgvector's text format. The numbers are at most 1, and further decimals of a float32 are meaningless. */
function toText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => Math.round(value * 1e6) / 1e6).join(',')}]`;
}
