import type { Database } from '../../db/index.ts';
import { type Embedder, isRefusedText } from './embedder.ts';
import {
  claimPendingVectors,
  lockExisting,
  type PendingVector,
  postponeVector,
  releasePendingVectors,
  settlePendingVectors,
} from './pending-vectors.ts';
import type { VectorStore } from './vector-store.ts';

// Small, because the embedded database runs other statements only between two batches.
const BATCH = 100;

/** Options of {@link indexVectors}. */
export interface IndexVectorsOptions {
  readonly database: Database;
  readonly store: VectorStore;
  readonly embedder: Embedder;
  /** Name of this node; no other node computes the same vectors. */
  readonly node: string;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called for a conversation whose text the embedder rejects; it is retried later. */
  readonly onRefused: (error: unknown) => void;
}

/**
 * Computes vectors for conversations with new text, at most `limit`, newest first. Resolves with their number. Rejects
 * when the embedder is unreachable; completed vectors are kept.
 */
export async function indexVectors(options: IndexVectorsOptions): Promise<number> {
  const { database, node, limit } = options;
  let count = 0;
  while (count < limit) {
    const size = Math.min(BATCH, limit - count);
    const pending = await claimPendingVectors(database, node, size);
    if (pending.length === 0) break;
    try {
      await makeVectors(options, pending);
    } catch (error) {
      await releasePendingVectors(
        database,
        node,
        pending.map(({ id }) => id),
      );
      throw error;
    }
    count += pending.length;
  }
  return count;
}

/**
 * Halves a rejected batch until the rejected texts are alone, so that one of them does not block other conversations.
 */
async function makeVectors(options: IndexVectorsOptions, pending: readonly PendingVector[]): Promise<void> {
  const { database, embedder, node, signal, onRefused } = options;
  let vectors: readonly Float32Array[];
  try {
    vectors = await embedder.embedConversations(pending, signal);
  } catch (error) {
    if (!isRefusedText(error)) throw error;
    const [first] = pending;
    if (pending.length === 1 && first !== undefined) {
      await postponeVector(database, node, first.id);
      onRefused(error);
      return;
    }
    const half = Math.ceil(pending.length / 2);
    await makeVectors(options, pending.slice(0, half));
    await makeVectors(options, pending.slice(half));
    return;
  }
  await storeVectors(options, pending, vectors);
}

async function storeVectors(
  { database, store, node }: IndexVectorsOptions,
  pending: readonly PendingVector[],
  vectors: readonly Float32Array[],
): Promise<void> {
  await database.tx(async (sql) => {
    const existing = await lockExisting(
      sql,
      pending.map(({ id }) => id),
    );
    await store.put(
      sql,
      pending.flatMap(({ id }, index) => {
        const vector = vectors[index];
        return vector === undefined || !existing.has(id) ? [] : [{ id, vector }];
      }),
    );
    await settlePendingVectors(sql, node, pending);
  });
}
