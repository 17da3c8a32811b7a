import { type Database, isDatabaseError, type Sql } from '../../db/index.ts';
import type { Filter } from '../build-filter.ts';
import type { FoundPage } from '../find-page.ts';

/** Where the vectors of conversations are kept and compared. */
export interface VectorStore {
  /** `pgvector`: the database compares. `exact`: the vectors are read and compared here. */
  readonly kind: 'pgvector' | 'exact';
  /** Keeps vectors, replacing those there were; in the transaction of `sql`. */
  put(sql: Sql, vectors: readonly { readonly id: string; readonly vector: Float32Array }[]): Promise<void>;
  /** The conversations of a filter that are most similar to a vector, in the list's order. Source: CV-3, CV-4. */
  findSimilar(filter: Filter, vector: Float32Array, limit: number): Promise<FoundPage>;
}

/**
 * Opens the store for the vectors of one embedder. Uses pgvector where the database has it, or lets us install it;
 * otherwise vectors are bytes. Conversations whose vector is of another embedder, or of the other kind, are made to need
 * a new one.
 */
export async function openVectorStore(database: Database, embedder: string): Promise<VectorStore> {
  const hasPgvector = await installPgvector(database);
  const column = hasPgvector ? 'embedding' : 'vector';
  await database.query(
    `UPDATE conversations c SET needs_vector = true
       FROM conversation_vectors v
      WHERE v.conversation_id = c.id AND NOT c.needs_vector AND (v.embedder <> $1 OR v.${column} IS NULL)`,
    [embedder],
  );
  return hasPgvector ? createPgvectorStore(database, embedder) : createExactStore(database, embedder);
}

/** Whether vectors can be compared by the database. */
async function installPgvector(database: Database): Promise<boolean> {
  const [available] = await database.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
  if (available === undefined) return false;
  try {
    await database.tx(async (sql) => {
      // Two nodes may start at once; neither statement is safe against itself.
      await sql.query('LOCK TABLE conversation_vectors IN SHARE ROW EXCLUSIVE MODE');
      await sql.query('CREATE EXTENSION IF NOT EXISTS vector');
      await sql.query('ALTER TABLE conversation_vectors ADD COLUMN IF NOT EXISTS embedding vector');
    });
    return true;
  } catch (error) {
    // Not allowed, or in a schema out of our sight.
    if (isDatabaseError(error) && error.code === 'rejected') return false;
    throw error;
  }
}

function createPgvectorStore(sql: Sql, embedder: string): VectorStore {
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
    async findSimilar({ where, params }, vector, limit) {
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

// Two megabytes at a time: memory stays small, and other work gets its turn in between.
const PAGE_ROWS = 2_000;

type VectorRow = { readonly id: string; readonly started_at: number; readonly vector: Uint8Array };
type Scored = { readonly id: string; readonly startedAtMs: number; readonly similarity: number };

function createExactStore(database: Database, embedder: string): VectorStore {
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
          vectors.map(({ vector }) => toBytes(vector).toString('base64')),
        ],
      );
    },
    async findSimilar({ where, params }, vector, limit) {
      const scored: Scored[] = [];
      await database.tx(async (tx) => {
        // All rows are read, so the plan is to be the best for all, not for the first.
        await tx.query('SET LOCAL cursor_tuple_fraction = 1');
        await tx.query(
          `DECLARE compared NO SCROLL CURSOR FOR
           SELECT c.id, c.started_at, v.vector
             FROM conversations c
             JOIN conversation_vectors v ON v.conversation_id = c.id
            WHERE ${where} AND v.embedder = $${params.length + 1} AND v.vector IS NOT NULL`,
          [...params, embedder],
        );
        for (;;) {
          const page = await tx.query<VectorRow>(`FETCH ${PAGE_ROWS} FROM compared`);
          for (const { id, started_at, vector: bytes } of page) {
            scored.push({ id, startedAtMs: started_at, similarity: innerProduct(vector, bytes) });
          }
          if (page.length < PAGE_ROWS) break;
        }
      });
      return { ids: selectMostSimilar(scored, limit).map(({ id }) => id), next: null };
    },
  };
}

/** The `limit` most similar, in the list's order. Source: CV-4. */
function selectMostSimilar(scored: Scored[], limit: number): readonly Scored[] {
  const byId = (a: Scored, b: Scored): number => (a.id < b.id ? -1 : 1);
  return scored
    .sort((a, b) => b.similarity - a.similarity || byId(a, b))
    .slice(0, limit)
    .sort((a, b) => a.startedAtMs - b.startedAtMs || byId(a, b));
}

function innerProduct(vector: Float32Array, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) * view.getFloat32(at * 4, true);
  return sum;
}

function toBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes;
}

/** As pgvector reads it. The numbers are at most 1, and more than six decimals of a float32 mean nothing. */
function toText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => Math.round(value * 1e6) / 1e6).join(',')}]`;
}
