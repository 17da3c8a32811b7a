import type { Peers } from '../bus/index.ts';
import { type Database, lookAtSessions } from '../db/index.ts';
import type { Clock } from './clock.ts';
import type { LiveSession } from './live-session.ts';

/** What following needs. */
export interface FollowedSessionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly peers: Peers;
  /** Sessions with sockets on this node that another node writes, or may. */
  readonly list: () => readonly Pick<LiveSession, 'id' | 'owner' | 'noteSight'>[];
  readonly onFailure: (error: unknown) => void;
}

// One statement for all of them. With a bus that works this finds nothing; it is the answer to what nobody noticed.
const SAFETY_MS = 5_000;
// While the bus is away, this is how events come.
const WITHOUT_BUS_MS = 500;

/** Looks at the log for the sessions that other nodes write: now and then, and often while the bus is of no help. */
export class FollowedSessions {
  readonly #options: FollowedSessionsOptions;
  #looking: Promise<void> | null = null;
  #mustLookAgain = false;
  #isStopped = true;
  #cancel: () => void = () => {};

  constructor(options: FollowedSessionsOptions) {
    this.#options = options;
  }

  start(): void {
    const { peers } = this.#options;
    if (!peers.isShared) return;
    this.#isStopped = false;
    peers.onDoubt(() => this.#look());
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#looking;
  }

  #schedule(): void {
    const { clock, peers, list } = this.#options;
    const isLost = (owner: string | null): boolean => owner !== null && !peers.canReach(owner);
    const isCutOff = !peers.isAlone && (!peers.isUp || list().some(({ owner }) => isLost(owner)));
    this.#cancel = clock.setTimer(
      () => {
        if (peers.isAlone) this.#schedule();
        else this.#look();
      },
      isCutOff ? WITHOUT_BUS_MS : SAFETY_MS,
    );
  }

  #look(): void {
    if (this.#isStopped) return;
    this.#cancel();
    this.#mustLookAgain = true;
    this.#looking ??= this.#lookAtAll().finally(() => {
      this.#looking = null;
      // Somebody may have asked since the last look came back.
      if (this.#mustLookAgain) this.#look();
      else if (!this.#isStopped) this.#schedule();
    });
  }

  async #lookAtAll(): Promise<void> {
    const { database, list, onFailure } = this.#options;
    while (this.#mustLookAgain) {
      this.#mustLookAgain = false;
      const followed = new Map(list().map((live) => [live.id, live]));
      if (followed.size === 0) return;
      try {
        const sights = await lookAtSessions(database, [...followed.keys()]);
        // A session that cannot be caught up with holds up no other one.
        await Promise.all(sights.map((sight) => followed.get(sight.id)?.noteSight(sight).catch(onFailure)));
      } catch (error) {
        // The sockets stay; the next look may succeed.
        onFailure(error);
      }
    }
  }
}
