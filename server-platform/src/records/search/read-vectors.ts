import { type Database, type RowBytes, type SqlValue, storableText } from '../../db/index.ts';
import type { Filter } from './build-filter.ts';
import type { VectorPage } from './vector-table.ts';

/** Comparable vectors: from one embedder and with this many numbers. */
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

/** All vectors of the conversations that meet a filter, in any order. The memory of a page is used again once it is taken. */
export async function readAllVectors(
  database: Database,
  { where, params }: Filter,
  { embedder, size }: ComparableVectors,
  take: (page: VectorPage) => Promise<unknown>,
): Promise<void> {
  let filling = new PageFiller(allocateMemory(size));
  const free: PageMemory[] = [];
  const handedOver: Promise<void>[] = [];
  const failures: unknown[] = [];
  const handOver = async (): Promise<void> => {
    const { page } = filling;
    filling = new PageFiller(free.pop() ?? allocateMemory(size));
    try {
      await take(page);
      free.push(page.vectors);
    } catch (error) {
      failures.push(error);
    }
  };
  // In one statement, in which the database reads the vectors as they lie: half the work of fetching each by its id.
  await database.readBytes(
    `SELECT c.id, c.started_at::text, '0', v.vector
       FROM conversations c JOIN conversation_vectors v ON v.conversation_id = c.id AND v.embedder = $${params.length + 1}
      WHERE ${where}`,
    [...params, embedder],
    (row) => {
      filling.add(row);
      if (filling.isFull) handedOver.push(handOver());
    },
  );
  await Promise.all([...handedOver, handOver()]);
  if (failures.length > 0) throw failures[0];
}

/** The vectors of the first conversations that meet a filter, in the list's order; null when there are none. */
export async function readVectors(
  database: Database,
  { where, params }: Filter,
  comparable: ComparableVectors,
): Promise<ReadVectors | null> {
  const at = params.length;
  // The conversations are chosen first. In one join the planner would read all vectors for every page.
  return await readPage(
    database,
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
  database: Database,
  { projectId, environment, after }: VectorChanges,
  comparable: ComparableVectors,
): Promise<ReadVectors | null> {
  return await readPage(
    database,
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

async function readPage(
  database: Database,
  rows: string,
  params: readonly SqlValue[],
  size: number,
): Promise<ReadVectors | null> {
  const filling = new PageFiller(allocateMemory(size));
  await database.readBytes(
    `SELECT id, started_at::text, changed_in::text, vector FROM (${rows}) page`,
    params,
    (row) => filling.add(row),
  );
  const { page, last } = filling;
  return last && { page, last };
}

type PageMemory = VectorPage['vectors'];

function allocateMemory(size: number): PageMemory {
  return new Float32Array(new SharedArrayBuffer(PAGE_ROWS * size * Float32Array.BYTES_PER_ELEMENT));
}

/** Makes a page of rows: id, begin, the transaction that wrote the vector, the vector. */
class PageFiller {
  readonly #ids: string[] = [];
  readonly #startedAtMs: number[] = [];
  readonly #memory: PageMemory;
  readonly #bytes: Uint8Array;
  /** Bytes of a vector. */
  readonly #length: number;
  last: ReadVectors['last'] | null = null;

  constructor(memory: PageMemory) {
    this.#memory = memory;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#length = memory.byteLength / PAGE_ROWS;
  }

  get isFull(): boolean {
    return this.#ids.length === PAGE_ROWS;
  }

  get page(): VectorPage {
    return { ids: this.#ids, startedAtMs: this.#startedAtMs, vectors: this.#memory };
  }

  /** Takes a row in, unless its vector cannot be compared, or its conversation is not one that is looked for. */
  add([id = null, startedAt = null, changedIn = null, vector = null]: RowBytes): void {
    this.last = { id: String(id), startedAtMs: Number(startedAt), changedIn: Number(changedIn) };
    if (startedAt === null || vector?.length !== this.#length) return;
    this.#bytes.set(vector, this.#ids.length * this.#length);
    this.#ids.push(this.last.id);
    this.#startedAtMs.push(this.last.startedAtMs);
  }
}
