import type { Database, Sql } from '../../db/index.ts';
import { buildFilter, type Filter, type FilterQuery } from './build-filter.ts';
import { readAllVectors, readChangedVectors } from './read-vectors.ts';
import type { RankedConversation, RankQuery, VectorPage } from './vector-table.ts';
import type { VectorThread } from './vector-thread.ts';

/** Which vectors are held together. */
export interface HeldVectorsPlace {
  readonly projectId: string;
  readonly environment: FilterQuery['client_env'];
  /** The embedder that made them. */
  readonly embedder: string;
  /** Numbers in a vector. */
  readonly size: number;
}

/** What vectors are held with. */
export interface HeldVectorsOptions extends HeldVectorsPlace {
  readonly database: Database;
  readonly thread: VectorThread;
  /** Of more conversations, vectors are not held. */
  readonly most: number;
  /** Called with every page; false: there is no room for more. */
  readonly onGrown: (held: HeldVectors) => Promise<boolean>;
}

// Found by their primary key within ten milliseconds.
const CHECKED_ROWS = 5_000;

/**
 * The vectors of one environment of a project, in the memory of the thread that compares them. Every vector names the
 * transaction that wrote it, so that only changes are read.
 */
export class HeldVectors {
  /** When they were last searched. */
  usedAtMs = 0;
  readonly #options: HeldVectorsOptions;
  readonly #name: string;
  #count = 0;
  /** Every transaction before this one has ended and was read. Null: nothing was read. */
  #readUntil: number | null = null;
  #checkedRow = 0;
  #isDropped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: HeldVectorsOptions) {
    this.#options = options;
    this.#name = [options.projectId, options.environment, options.size].join(' ');
  }

  get bytes(): number {
    return this.#count * this.#options.size * Float32Array.BYTES_PER_ELEMENT;
  }

  /** Reads the vectors stored before the call. Resolves with false when the vectors are too many, or were dropped. */
  catchUp(): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#isDropped) return false;
      return this.#readUntil === null ? await this.#readAll() : await this.#readChanges(this.#readUntil);
    });
  }

  /** The most similar of those in `only`, a list of ids as JSON, or of all. Null when the vectors were dropped. */
  async rank(query: RankQuery, only: string | null): Promise<readonly RankedConversation[] | null> {
    const ranked = await this.#options.thread.ask('rank', { table: this.#name, query, only });
    return this.#isDropped ? null : ranked;
  }

  /** Drops the next few thousand vectors that the database no longer has. Erased vectors are excluded from answers even before. */
  checkSome(): Promise<void> {
    return this.#inTurn(() => this.#checkSome());
  }

  /** Frees the memory. */
  async drop(): Promise<void> {
    this.#isDropped = true;
    this.#count = 0;
    await this.#options.thread.ask('drop', { table: this.#name });
  }

  /** One after the other: each begins where the one before has come to. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#running.then(work);
    this.#running = turn.catch(() => undefined);
    return turn;
  }

  async #checkSome(): Promise<void> {
    const { database, thread, embedder } = this.#options;
    const table = this.#name;
    const ids = await thread.ask('ids', { table, row: this.#checkedRow, limit: CHECKED_ROWS });
    this.#checkedRow = ids.length < CHECKED_ROWS ? 0 : this.#checkedRow + CHECKED_ROWS;
    const gone = await database.query<{ id: string }>(
      `SELECT held.id FROM unnest($1::text[]) AS held (id)
        WHERE NOT EXISTS (SELECT FROM conversation_vectors v WHERE v.conversation_id = held.id AND v.embedder = $2)`,
      [ids, embedder],
    );
    if (gone.length > 0) this.#count = await thread.ask('remove', { table, ids: gone.map(({ id }) => id) });
  }

  async #readAll(): Promise<boolean> {
    const { database, projectId, environment, embedder, size } = this.#options;
    const filter = buildFilter(projectId, { client_env: environment, channel: [] });
    if (!(await this.#fits(filter))) return false;
    const readUntil = await readOldestTransaction(database);
    await readAllVectors(database, filter, { embedder, size }, (page) => this.#put(page));
    this.#readUntil = readUntil;
    return !this.#isDropped;
  }

  async #fits({ where, params }: Filter): Promise<boolean> {
    const { database, most } = this.#options;
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*) FROM (SELECT FROM conversations c WHERE ${where} LIMIT $${params.length + 1}::bigint) found`,
      [...params, most + 1],
    );
    return (row?.count ?? 0) <= most;
  }

  async #readChanges(since: number): Promise<boolean> {
    const { database, projectId, environment, embedder, size } = this.#options;
    const readUntil = await readOldestTransaction(database);
    let after = { changedIn: since, id: '' };
    for (;;) {
      const found = await readChangedVectors(database, { projectId, environment, after }, { embedder, size });
      if (found === null) break;
      if (!(await this.#put(found.page))) return false;
      after = found.last;
    }
    this.#readUntil = readUntil;
    return !this.#isDropped;
  }

  async #put(page: VectorPage): Promise<boolean> {
    const { thread, size, onGrown } = this.#options;
    if (this.#isDropped) return false;
    const count = await thread.ask('put', { table: this.#name, size, page });
    if (this.#isDropped) {
      // Dropped while this page was on its way.
      await thread.ask('drop', { table: this.#name });
      return false;
    }
    this.#count = count;
    return await onGrown(this);
  }
}

/** The oldest open transaction: its writes and later ones have to be read again. */
async function readOldestTransaction(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ oldest: number }>(
    'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest',
  );
  return row?.oldest ?? 0;
}
