import type { ConversationsQuery } from '@natter/sdk';
import type { Database } from '../../db/index.ts';
import type { Scheduler } from '../../jobs/index.ts';
import { type Clock, sleep } from '../../kit/clock.ts';
import type { Embedder } from './embedder.ts';
import type { FoundPage } from './find-page.ts';
import { indexVectors } from './index-vectors.ts';
import { areVectorsClaimed, releasePendingVectors } from './pending-vectors.ts';
import { openVectorStore, type VectorStore } from './vector-store.ts';

/** The search by similarity, and the maintenance of its vectors. */
export interface SemanticSearch {
  /** How vectors are compared. */
  readonly kind: VectorStore['kind'];
  /** The `limit` conversations most similar to the query, in the list's order. Source: CV-3, CV-4. */
  find(projectId: string, query: ConversationsQuery): Promise<FoundPage>;
  /** Computes missing vectors, at most `limit`. Resolves with their number. */
  index(limit: number): Promise<number>;
  /** Stops the maintenance; running work is aborted. */
  close(): Promise<void>;
}

/** Options of the search. */
export interface SemanticSearchOptions {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Name of this node. If only one process can have it at a time, its old claims are released at the start. */
  readonly node: string;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Interval of computing missing vectors. */
const UPKEEP_MS = 20_000;
const UPKEEP_LIMIT = 5_000;
// A search waits for the newest only; the maintenance computes the rest.
const SEARCH_LIMIT = 1_000;
// How long and how often a search waits for vectors that another node is computing.
const OTHERS_MS = 2_000;
const OTHERS_LOOK_MS = 100;

/** Opens the search and starts its maintenance. */
export async function openSemanticSearch(options: SemanticSearchOptions): Promise<SemanticSearch> {
  const { database, embedder, clock, scheduler, node, onFailure } = options;
  const store = await openVectorStore(database, embedder.name);
  await releasePendingVectors(database, node, null);
  const controller = new AbortController();
  const { signal } = controller;
  let running: Promise<number> = Promise.resolve(0);

  const making = {
    database,
    store,
    embedder,
    node,
    signal,
    onRefused: (error: unknown) => onFailure('compute the vector of a conversation', error),
  };
  // Sequentially, because two concurrent runs would share the claims of one node.
  const index = (limit: number): Promise<number> => {
    running = running.catch(() => 0).then(() => (signal.aborted ? 0 : indexVectors({ ...making, limit })));
    return running;
  };
  const waitForOthers = async (): Promise<void> => {
    const giveUpAtMs = clock.now() + OTHERS_MS;
    while (!signal.aborted && clock.now() < giveUpAtMs && (await areVectorsClaimed(database, node)))
      await sleep(clock, OTHERS_LOOK_MS, signal);
  };
  const tryToIndex = async (limit: number): Promise<void> => {
    try {
      await index(limit);
    } catch (error) {
      if (!signal.aborted) onFailure('compute vectors of conversations', error);
    }
  };
  const upkeep = scheduler.every({
    what: 'index vectors',
    everyMs: UPKEEP_MS,
    run: () => tryToIndex(UPKEEP_LIMIT),
  });

  return {
    kind: store.kind,
    index,
    async find(projectId, query) {
      await tryToIndex(SEARCH_LIMIT);
      await waitForOthers();
      const vector = await embedder.embedQuery(query.query ?? '', signal);
      return await store.findSimilar({ projectId, query, vector, limit: query.limit });
    },
    async close() {
      controller.abort(new Error('The platform is shutting down.'));
      await upkeep.stop();
      await running.catch(() => 0);
    },
  };
}
