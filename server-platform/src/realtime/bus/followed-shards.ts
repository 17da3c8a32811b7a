import type { BusSubjects } from './bus-link.ts';

/** Number of subjects that sessions are spread over. All nodes must use the same number. */
const SHARDS = 4_096;

// A visitor who changes pages reconnects within seconds, so an unused subject stays subscribed this long.
const KEEP_MS = 30_000;

/** Returns the shard of a session: FNV-1a of its id. */
export function shardOf(sessionId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < sessionId.length; index += 1)
    hash = Math.imul(hash ^ sessionId.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % SHARDS;
}

/** Counts the users of each shard on this node, and subscribes to the shards in use. */
export class FollowedShards {
  readonly #subjects: BusSubjects;
  readonly #onFollowed: () => void;
  readonly #onUnfollowed: (shard: number) => void;
  readonly #counts = new Map<number, number>();
  /** Subscribed shards without users, with the time since when. */
  readonly #unusedSinceMs = new Map<number, number>();

  /** `onFollowed` is called once a new subscription is active; messages sent before it were not received. */
  constructor(options: {
    readonly subjects: BusSubjects;
    readonly onFollowed: () => void;
    readonly onUnfollowed: (shard: number) => void;
  }) {
    this.#subjects = options.subjects;
    this.#onFollowed = options.onFollowed;
    this.#onUnfollowed = options.onUnfollowed;
  }

  /** Whether this node currently needs packets of a shard. */
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

  /** Ends subscriptions that have been unused for some time. */
  sweep(nowMs: number): void {
    for (const [shard, sinceMs] of this.#unusedSinceMs) {
      if (nowMs - sinceMs < KEEP_MS) continue;
      this.#unusedSinceMs.delete(shard);
      this.#subjects.unfollow(shard);
      this.#onUnfollowed(shard);
    }
  }
}
