import type { BusSubjects } from './bus-link.ts';

/** How many subjects the sessions are spread over. All nodes use the same number. */
const SHARDS = 4_096;

// A visitor who changes pages comes back within seconds: until then the subject stays subscribed.
const KEEP_MS = 30_000;

/** The shard of a session: FNV-1a of its id. */
export function shardOf(sessionId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < sessionId.length; index += 1)
    hash = Math.imul(hash ^ sessionId.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % SHARDS;
}

/** Counts which shards this node needs, and subscribes to those. */
export class FollowedShards {
  readonly #subjects: BusSubjects;
  readonly #onFollowed: () => void;
  readonly #onUnfollowed: (shard: number) => void;
  readonly #counts = new Map<number, number>();
  /** Shards that nothing needs, and since when. They are still subscribed. */
  readonly #unusedSinceMs = new Map<number, number>();

  /** `onFollowed` is called when a new subscription is in place: messages of the time before it did not arrive. */
  constructor(options: {
    readonly subjects: BusSubjects;
    readonly onFollowed: () => void;
    readonly onUnfollowed: (shard: number) => void;
  }) {
    this.#subjects = options.subjects;
    this.#onFollowed = options.onFollowed;
    this.#onUnfollowed = options.onUnfollowed;
  }

  /** Whether packets of a shard are wanted now. */
  has(shard: number): boolean {
    return this.#counts.has(shard) || this.#unusedSinceMs.has(shard);
  }

  add(shard: number): void {
    const count = this.#counts.get(shard) ?? 0;
    this.#counts.set(shard, count + 1);
    if (count > 0 || this.#unusedSinceMs.delete(shard)) return;
    void this.#subjects.follow(shard).then(this.#onFollowed);
  }

  remove(shard: number, nowMs: number): void {
    const count = (this.#counts.get(shard) ?? 1) - 1;
    if (count > 0) {
      this.#counts.set(shard, count);
      return;
    }
    this.#counts.delete(shard);
    this.#unusedSinceMs.set(shard, nowMs);
  }

  /** Ends the subscriptions that nothing has needed for a while. */
  sweep(nowMs: number): void {
    for (const [shard, sinceMs] of this.#unusedSinceMs) {
      if (nowMs - sinceMs < KEEP_MS) continue;
      this.#unusedSinceMs.delete(shard);
      this.#subjects.unfollow(shard);
      this.#onUnfollowed(shard);
    }
  }
}
