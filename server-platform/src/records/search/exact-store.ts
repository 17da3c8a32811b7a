import type { Database } from '../../db/index.ts';
import { buildFilter } from './build-filter.ts';
import type { ListPosition } from './conversation-cursor.ts';
import type { SimilarSearch, VectorStore } from './vector-store.ts';

interface RankedConversation extends ListPosition {
  /** The inner product with the vector of the query. */
  readonly similarity: number;
}

// A page is a database result of at most three megabytes, and delays other work by milliseconds.
const PAGE_BYTES = 2_097_152;

/**
 * Stores vectors as bytes in a PostgreSQL without pgvector. A search reads the vectors of all conversations that match
 * its filter, page by page, and compares them here.
 */
export function createExactStore(database: Database, embedder: string): VectorStore {
  return {
    kind: 'exact',
    async put(tx, vectors) {
      await tx.query(
        `INSERT INTO conversation_vectors (conversation_id, embedder, vector)
         SELECT id, $1, decode(bytes, 'base64') FROM unnest($2::text[], $3::text[]) AS t (id, bytes)
         ON CONFLICT (conversation_id) DO UPDATE SET embedder = EXCLUDED.embedder, vector = EXCLUDED.vector`,
        [
          embedder,
          vectors.map(({ id }) => id),
          vectors.map(({ vector }) => Buffer.from(toBytes(vector)).toString('base64')),
        ],
      );
    },
    async findSimilar(search) {
      let best: readonly RankedConversation[] = [];
      let after: ListPosition | null = null;
      for (;;) {
        const page = await rankPage(database, embedder, search, after);
        after = page.last;
        if (after === null) break;
        best = [...best, ...page.ranked]
          .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
          .slice(0, search.limit);
      }
      const ordered = [...best].sort((a, b) => a.startedAtMs - b.startedAtMs || (a.id < b.id ? -1 : 1));
      return { ids: ordered.map(({ id }) => id), next: null };
    },
  };
}

/** Ranks the next conversations of a filter; returns their similarities and the last of them, or null at the end. */
async function rankPage(
  database: Database,
  embedder: string,
  { projectId, query, vector }: SimilarSearch,
  after: ListPosition | null,
): Promise<{ readonly ranked: readonly RankedConversation[]; readonly last: ListPosition | null }> {
  const { where, params } = buildFilter(projectId, query, after);
  const at = params.length;
  // Conversations are selected first, because in a single join the planner would read all vectors for every page.
  const rows = await database.query<{ id: string; started_at: number; vector: string | null }>(
    `SELECT found.id, found.started_at, encode(v.vector, 'base64') AS vector
       FROM (SELECT c.id, c.started_at FROM conversations c
              WHERE ${where}
              ORDER BY c.started_at, c.id
              LIMIT $${at + 1}::bigint) found
       LEFT JOIN conversation_vectors v ON v.conversation_id = found.id AND v.embedder = $${at + 2}
      ORDER BY found.started_at, found.id`,
    [...params, Math.max(1, Math.floor(PAGE_BYTES / vector.byteLength)), embedder],
  );
  const other = new Float32Array(vector.length);
  const bytes = toBytes(other);
  const ranked = rows.flatMap(({ id, started_at: startedAtMs, vector: text }): RankedConversation[] => {
    const stored = Buffer.from(text ?? '', 'base64');
    // Not computed yet, or from a model whose size has changed.
    if (stored.length !== bytes.length) return [];
    bytes.set(stored);
    return [{ id, startedAtMs, similarity: innerProduct(vector, other) }];
  });
  const last = rows.at(-1);
  return { ranked, last: last === undefined ? null : { id: last.id, startedAtMs: last.started_at } };
}

/** The bytes of a vector. Stored and compared as little-endian float32, which all supported processors use. */
function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function innerProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}
