/** Vectors of some conversations: of each its id, its begin and its vector, in the same order. */
export interface VectorPage {
  readonly ids: readonly string[];
  readonly startedAtMs: readonly number[];
  /** All of them one after the other, in memory that threads share. */
  readonly vectors: Float32Array<SharedArrayBuffer>;
}

/** Which conversations to look for. */
export interface RankQuery {
  readonly vector: Float32Array;
  /** Included. */
  readonly fromMs: number;
  /** Excluded. */
  readonly untilMs: number;
  readonly limit: number;
}

/** A conversation and its inner product with the vector of a query. */
export interface RankedConversation {
  readonly id: string;
  readonly startedAtMs: number;
  readonly similarity: number;
}

/** The most similar first, ties by id. */
export function bySimilarity(a: RankedConversation, b: RankedConversation): number {
  return b.similarity - a.similarity || (a.id < b.id ? -1 : 1);
}

// Four megabytes at 256 numbers a vector: a table grows without being copied.
const BLOCK_ROWS = 4_096;

/** The vectors of many conversations in memory, one after the other. */
export class VectorTable {
  readonly #size: number;
  readonly #blocks: Float32Array[] = [];
  readonly #ids: string[] = [];
  readonly #startedAtMs: number[] = [];
  readonly #rowOf = new Map<string, number>();

  /** `size`: numbers in a vector. */
  constructor(size: number) {
    this.#size = size;
  }

  get count(): number {
    return this.#ids.length;
  }

  /** Adds vectors, or replaces existing ones of the same conversations. */
  put({ ids, startedAtMs, vectors }: VectorPage): void {
    for (const [index, id] of ids.entries()) {
      const row = this.#rowOf.get(id) ?? this.#append(id, startedAtMs[index] ?? 0);
      const from = index * this.#size;
      this.#blockOf(row).set(vectors.subarray(from, from + this.#size), (row % BLOCK_ROWS) * this.#size);
    }
  }

  /** Removes the vectors of these conversations. The last rows take their places, and what those held is overwritten. */
  remove(ids: readonly string[]): void {
    for (const id of ids) {
      const row = this.#rowOf.get(id);
      if (row === undefined) continue;
      const last = this.count - 1;
      const moved = this.#ids[last] ?? '';
      this.#vectorOf(row).set(this.#vectorOf(last));
      this.#vectorOf(last).fill(0);
      this.#ids[row] = moved;
      this.#startedAtMs[row] = this.#startedAtMs[last] ?? 0;
      this.#rowOf.set(moved, row);
      this.#rowOf.delete(id);
      this.#ids.pop();
      this.#startedAtMs.pop();
    }
  }

  /** Ids of the rows from one on. */
  idsFrom(row: number, limit: number): readonly string[] {
    return this.#ids.slice(row, row + limit);
  }

  /** The `limit` most similar of those in `only` (null: of all), the most similar first, ties by id. */
  rank(
    { vector, fromMs, untilMs, limit }: RankQuery,
    only: ReadonlySet<string> | null,
  ): readonly RankedConversation[] {
    const rows = new Uint32Array(this.count);
    const scores = new Float64Array(this.count);
    let found = 0;
    for (let row = 0; row < this.count; row += 1) {
      const startedAtMs = this.#startedAtMs[row] ?? 0;
      if (startedAtMs < fromMs || startedAtMs >= untilMs) continue;
      if (only !== null && !only.has(this.#ids[row] ?? '')) continue;
      rows[found] = row;
      scores[found] = innerProduct(vector, this.#blockOf(row), (row % BLOCK_ROWS) * this.#size);
      found += 1;
    }
    // Numbers alone are sorted many times faster than rows: so few rows are left to sort.
    const ascending = scores.slice(0, found).sort();
    const least = found > limit ? (ascending[found - limit] ?? 0) : Number.NEGATIVE_INFINITY;
    const best: RankedConversation[] = [];
    for (let at = 0; at < found; at += 1) {
      const similarity = scores[at] ?? 0;
      const row = rows[at] ?? 0;
      if (similarity < least) continue;
      best.push({ id: this.#ids[row] ?? '', startedAtMs: this.#startedAtMs[row] ?? 0, similarity });
    }
    return best.sort(bySimilarity).slice(0, limit);
  }

  #append(id: string, startedAtMs: number): number {
    const row = this.#ids.push(id) - 1;
    this.#startedAtMs.push(startedAtMs);
    this.#rowOf.set(id, row);
    if (row === this.#blocks.length * BLOCK_ROWS) {
      this.#blocks.push(new Float32Array(BLOCK_ROWS * this.#size));
    }
    return row;
  }

  #vectorOf(row: number): Float32Array {
    const at = (row % BLOCK_ROWS) * this.#size;
    return this.#blockOf(row).subarray(at, at + this.#size);
  }

  #blockOf(row: number): Float32Array {
    const block = this.#blocks[Math.floor(row / BLOCK_ROWS)];
    if (block === undefined) throw new RangeError(`There is no row ${row}.`);
    return block;
  }
}

/** In four sums that do not wait for one another, which takes half the time of one. */
function innerProduct(vector: Float32Array, block: Float32Array, from: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = 0; at < vector.length; at += 4) {
    const row = from + at;
    a += (vector[at] ?? 0) * (block[row] ?? 0);
    b += (vector[at + 1] ?? 0) * (block[row + 1] ?? 0);
    c += (vector[at + 2] ?? 0) * (block[row + 2] ?? 0);
    d += (vector[at + 3] ?? 0) * (block[row + 3] ?? 0);
  }
  return a + b + c + d;
}
