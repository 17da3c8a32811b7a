import { type Database, isDatabaseError, type Sql } from '../../db/index.ts';
import type { FilterQuery } from './build-filter.ts';
import { createExactStore } from './exact-store.ts';
import type { FoundPage } from './find-page.ts';
import { createPgvectorStore } from './pgvector-store.ts';

/** Criteria of a similarity search. */
export interface SimilarSearch {
  readonly projectId: string;
  readonly query: FilterQuery;
  readonly vector: Float32Array;
  readonly limit: number;
}

/** Stores and compares vectors of conversations. */
export interface VectorStore {
  /** `pgvector`: the database compares. `exact`: every search reads the vectors and compares them here. */
  readonly kind: 'pgvector' | 'exact';
  /** Stores or replaces vectors, in the transaction of `sql`. */
  put(sql: Sql, vectors: readonly { readonly id: string; readonly vector: Float32Array }[]): Promise<void>;
  /** The conversations of a filter most similar to a vector, in the list's order. Source: CV-3, CV-4. */
  findSimilar(search: SimilarSearch): Promise<FoundPage>;
}

/**
 * Opens the store for the vectors of one embedder. Uses pgvector if the database has it or allows installing it;
 * otherwise stores bytes. Conversations with vectors of another embedder or storage kind are marked as needing a new
 * one.
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

/** Whether the database can compare vectors. */
async function installPgvector(database: Database): Promise<boolean> {
  const [available] = await database.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
  if (available === undefined) return false;
  try {
    await database.tx(async (sql) => {
      // Two nodes may start at the same time, and neither statement may run twice concurrently.
      await sql.query('LOCK TABLE conversation_vectors IN SHARE ROW EXCLUSIVE MODE');
      await sql.query('CREATE EXTENSION IF NOT EXISTS vector');
      await sql.query('ALTER TABLE conversation_vectors ADD COLUMN IF NOT EXISTS embedding vector');
    });
    return true;
  } catch (error) {
    // Not permitted, or in a schema that is not visible.
    if (isDatabaseError(error) && error.code === 'rejected') return false;
    throw error;
  }
}
