import type { Database } from '../../db/index.ts';
import { buildFilter } from './build-filter.ts';
import type { ListPosition } from './conversation-cursor.ts';
import type { FoundPage } from './find-page.ts';
import { HeldVectors } from './held-vectors.ts';
import { readVectors } from './read-vectors.ts';
import type { SimilarSearch, VectorStore } from './vector-store.ts';
import { bySimilarity, type RankedConversation, type RankQuery } from './vector-table.ts';
import { VectorThread } from './vector-thread.ts';

/** What the store in memory is made with. */
export interface MemoryStoreOptions {
  readonly database: Database;
  readonly embedder: string;
  readonly now: () => number;
  /** Most memory for vectors. Default: 256 MB, which are 262,144 conversations of the built-in embedder. */
  readonly maxBytes?: number | undefined;
}

const MAX_BYTES = 268_435_456;
// Vectors that were not searched for this long are dropped.
const IDLE_MS = 1_800_000;

/**
 * Keeps vectors as bytes in the database, and searched projects' vectors in the memory of a thread, which
 * compares them. The database has the last word: it says which of the most similar meet the filter and are still there.
 */
export class MemoryStore implements VectorStore {
  readonly kind = 'exact';
  readonly #options: MemoryStoreOptions;
  #thread: VectorThread | null = null;
  #held = new Map<string, HeldVectors>();
  #scans = 0;

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
  }

  async put(...[tx, vectors]: Parameters<VectorStore['put']>): Promise<void> {
    await tx.query(
      `INSERT INTO conversation_vectors (conversation_id, embedder, vector, changed_in)
       SELECT id, $1, decode(bytes, 'base64'), pg_current_xact_id()::text::bigint
         FROM unnest($2::text[], $3::text[]) AS t (id, bytes)
       ON CONFLICT (conversation_id) DO UPDATE
         SET embedder = EXCLUDED.embedder, vector = EXCLUDED.vector, changed_in = EXCLUDED.changed_in`,
      [
        this.#options.embedder,
        vectors.map(({ id }) => id),
        vectors.map(({ vector }) => toBytes(vector).toString('base64')),
      ],
    );
  }

  async findSimilar(search: SimilarSearch): Promise<FoundPage> {
    const thread = this.#startThread();
    const held = this.#holdFor(search, thread);
    held.usedAtMs = this.#options.now();
    const fromHeld = (await held.catchUp()) ? await this.#rankHeld(held, search) : null;
    const best = fromHeld ?? (await this.#rankPages(thread, search));
    const ordered = [...best].sort((a, b) => a.startedAtMs - b.startedAtMs || (a.id < b.id ? -1 : 1));
    return { ids: ordered.map(({ id }) => id), next: null };
  }

  /** Drops unused vectors, and vectors that the database no longer has. */
  async tidy(): Promise<void> {
    if (this.#thread?.hasEnded === true) this.#held = new Map();
    const sinceMs = this.#options.now() - IDLE_MS;
    for (const [key, held] of this.#held) {
      if (held.usedAtMs > sinceMs) {
        await held.checkSome();
      } else {
        this.#held.delete(key);
        await held.drop();
      }
    }
    if (this.#held.size === 0) await this.close();
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#held = new Map();
    await thread?.end();
  }

  /** Of twice as many candidates as are asked for, those that the database confirms; if these are too few, of all it has. */
  async #rankHeld(
    held: HeldVectors,
    { projectId, query, vector, limit }: SimilarSearch,
  ): Promise<readonly RankedConversation[] | null> {
    const { database, embedder } = this.#options;
    const { where, params } = buildFilter(projectId, query);
    const matching = `FROM conversations c JOIN conversation_vectors v ON v.conversation_id = c.id
      WHERE ${where} AND v.embedder = $${params.length + 1} AND v.vector IS NOT NULL`;
    const wanted = rangeOf(query, vector, limit * 2);
    const candidates = await held.rank(wanted, null);
    if (candidates === null) return null;
    const confirmed = await database.query<{ id: string }>(
      `SELECT c.id ${matching} AND c.id = ANY($${params.length + 2}::text[])`,
      [...params, embedder, candidates.map(({ id }) => id)],
    );
    if (confirmed.length >= limit || candidates.length < wanted.limit) {
      const ids = new Set(confirmed.map(({ id }) => id));
      return candidates.filter(({ id }) => ids.has(id)).slice(0, limit);
    }
    // As text, which the thread reads: they may be all that there are.
    const [row] = await database.query<{ ids: string | null }>(
      `SELECT json_agg(c.id)::text AS ids ${matching}`,
      [...params, embedder],
    );
    return await held.rank({ ...wanted, limit }, row?.ids ?? '[]');
  }

  /** Vectors that are too many to be held: they pass through the thread page by page. */
  async #rankPages(
    thread: VectorThread,
    { projectId, query, vector, limit }: SimilarSearch,
  ): Promise<readonly RankedConversation[]> {
    const { database, embedder } = this.#options;
    this.#scans += 1;
    const table = `scan ${this.#scans}`;
    const size = vector.length;
    let best: readonly RankedConversation[] = [];
    let after: ListPosition | null = null;
    for (;;) {
      const found = await readVectors(database, buildFilter(projectId, query, after), { embedder, size });
      if (found === null) return best;
      after = found.last;
      await thread.ask('put', { table, size, page: found.page });
      const ranked = await thread.ask('rank', { table, query: rangeOf(query, vector, limit), only: null });
      await thread.ask('drop', { table });
      best = [...best, ...ranked].sort(bySimilarity).slice(0, limit);
    }
  }

  #startThread(): VectorThread {
    if (this.#thread === null || this.#thread.hasEnded) {
      this.#thread = new VectorThread();
      this.#held = new Map();
    }
    return this.#thread;
  }

  #holdFor({ projectId, query, vector }: SimilarSearch, thread: VectorThread): HeldVectors {
    const { database, embedder, maxBytes = MAX_BYTES } = this.#options;
    const most = Math.floor(maxBytes / vector.byteLength);
    const place = { projectId, environment: query.client_env, embedder, size: vector.length };
    const key = JSON.stringify(place);
    const held =
      this.#held.get(key) ??
      new HeldVectors({ ...place, database, thread, most, onGrown: (grown) => this.#makeRoom(grown) });
    this.#held.set(key, held);
    return held;
  }

  /** Drops the vectors that were searched longest ago, and at last those that have grown. */
  async #makeRoom(grown: HeldVectors): Promise<boolean> {
    const { maxBytes = MAX_BYTES } = this.#options;
    const others = [...this.#held].filter(([, held]) => held !== grown && held.bytes > 0);
    others.sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    let bytes = others.reduce((sum, [, held]) => sum + held.bytes, grown.bytes);
    for (const [key, held] of others) {
      if (bytes <= maxBytes) return true;
      bytes -= held.bytes;
      this.#held.delete(key);
      await held.drop();
    }
    if (bytes <= maxBytes) return true;
    await grown.drop();
    return false;
  }
}

function rangeOf(query: SimilarSearch['query'], vector: Float32Array, limit: number): RankQuery {
  const { start_time: fromMs = Number.NEGATIVE_INFINITY, end_time: untilMs = Number.POSITIVE_INFINITY } =
    query;
  return { vector, fromMs, untilMs, limit };
}

function toBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes;
}
