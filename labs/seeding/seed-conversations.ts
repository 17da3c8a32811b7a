import type { Database } from '../../server-platform/src/db/index.ts';
import { writeConversations } from '../../server-platform/src/realtime/event-log/index.ts';
import { arrivalOf, createArrivals } from './arrivals.ts';
import { believableConversation } from './believable-conversation.ts';
import { createChance } from './chance.ts';

/** Options of seeding. */
export interface SeedPlan {
  readonly seed: number;
  readonly conversations: number;
  readonly days: number;
  /** The last moment; the days before it are filled. */
  readonly untilMs: number;
  readonly projectId: string;
  readonly connectorId: string | null;
}

/** Result of the seeding. */
export interface SeedReport {
  readonly conversations: number;
  readonly turns: number;
  readonly durationMs: number;
}

// A statement of this size is a few megabytes.
const BATCH = 500;

/**
 * Writes believable conversations with the statement that real ones are written with. The same plan writes the same
 * conversations; those that are there already stay as they are.
 */
export async function seedConversations(
  database: Database,
  plan: SeedPlan,
  onProgress: (written: number) => void = () => {},
): Promise<SeedReport> {
  const { seed, conversations: count, days, untilMs, projectId, connectorId } = plan;
  const startedAt = performance.now();
  const arrivals = createArrivals(days, untilMs);
  let turns = 0;
  let writing: Promise<void> = Promise.resolve();
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) => {
      const index = from + offset;
      // Another chance than the conversation's own, which must not depend on how many there are.
      const startedAtMs = arrivalOf(arrivals, createChance(seed + 1, index), index, count);
      return believableConversation({ seed, index, projectId, connectorId, startedAtMs, untilMs });
    });
    for (const change of batch) turns += change.turns?.length ?? 0;
    // The next batch is thought up while the database writes this one.
    await writing;
    onProgress(from);
    writing = writeConversations(database, batch);
  }
  await writing;
  return { conversations: count, turns, durationMs: performance.now() - startedAt };
}
