import { listIdleSessions, listSessionsToRecover, removeExpiredNodes, type Session } from '../db/index.ts';
import { listSessionsToTell } from '../external-events/index.ts';
import { RetryLater } from '../sweep/retry-later.ts';
import { sweepItems } from '../sweep/sweep-items.ts';
import type { LiveSession } from './live-session.ts';
import type { SessionServices } from './session-services.ts';
import { isSessionLoss } from './session-writer.ts';

/** The registry as its sweeps see it. */
export interface SessionSweepsHost {
  readonly services: SessionServices;
  readonly isClosing: () => boolean;
  /** Reads one session; what is asked for at the same time shares a statement. */
  readonly load: (sessionId: string) => Promise<Session | null>;
  /** The session on this node; null when its connector is gone. */
  readonly adopt: (facts: Session) => Promise<LiveSession | null>;
  readonly releaseUnused: () => Promise<void>;
}

// After a crash hundreds wait. Each takes a handful of statements: more at once than the pool has connections would only
// wait for them.
const RECOVERIES_AT_ONCE = 16;
const RECOVERIES_PER_SEARCH = 200;
// An expiry may wait for the lease of a node that died.
const EXPIRIES_AT_ONCE = 8;

/** The regular search for sessions that need something. One that cannot be read or written holds up no other one. */
export class SessionSweeps {
  readonly #host: SessionSweepsHost;
  readonly #recoveries: RetryLater<string>;
  readonly #tellings: RetryLater<string>;
  readonly #expiries: RetryLater<string>;
  #recovering: Promise<void> | null = null;

  constructor(host: SessionSweepsHost) {
    const { clock } = host.services;
    this.#host = host;
    this.#recoveries = new RetryLater({ clock });
    this.#tellings = new RetryLater({ clock });
    this.#expiries = new RetryLater({ clock });
  }

  /** Runs every step, whatever became of the one before. Never rejects. */
  async run(): Promise<void> {
    const steps = {
      'recover sessions': () => this.recover(),
      'tell agents what they waited for': () => this.tellAgents(),
      'expire idle sessions': () => this.#expireIdle(),
      'release unused sessions': () => this.#host.releaseUnused(),
      'remove the leases of nodes that are gone': () => removeExpiredNodes(this.#host.services.database),
    };
    for (const [what, step] of Object.entries(steps)) {
      await step().catch((error: unknown) => this.#host.services.observer.failed(what, error));
    }
  }

  /** Takes up all sessions whose owner died in the middle of a turn. Calls at the same time share one search. */
  recover(): Promise<void> {
    this.#recovering ??= this.#recoverAll().finally(() => {
      this.#recovering = null;
    });
    return this.#recovering;
  }

  async #recoverAll(): Promise<void> {
    const { database } = this.#host.services;
    const later = this.#recoveries;
    const options = { later, atOnce: RECOVERIES_AT_ONCE };
    const tried = new Set<string>();
    while (!this.#host.isClosing()) {
      const ids = await listSessionsToRecover(database, {
        limit: RECOVERIES_PER_SEARCH,
        except: [...later.resting, ...tried],
      });
      // Several nodes find the same sessions at the same time: each begins with other ones.
      await this.#sweep('recover a session', shuffle(ids), options, (live) =>
        live.recover({ isPatient: false }),
      );
      if (ids.length < RECOVERIES_PER_SEARCH) return;
      for (const id of ids) tried.add(id);
    }
  }

  /** Tells the agents of all sessions, or of one, what has come for them. Source: `rest.md`, EE-6. */
  async tellAgents(sessionId?: string): Promise<void> {
    if (this.#host.isClosing()) return;
    const { database, lease, clock } = this.#host.services;
    const later = this.#tellings;
    // Something has just come for this one: it is tried now.
    if (sessionId !== undefined) later.noteSuccess(sessionId);
    const options = { sessionId, except: later.resting };
    const ids = await listSessionsToTell(database, lease.node, clock.now(), options);
    await this.#sweep('tell the agent what it waited for', ids, { later }, (live) =>
      live.readExternalEvents(),
    );
  }

  /** Sessions with a place on this node have a timer of their own; this finds the others. */
  async #expireIdle(): Promise<void> {
    if (this.#host.isClosing()) return;
    const { database, clock, limits } = this.#host.services;
    const later = this.#expiries;
    const idleSinceMs = clock.now() - limits.inactivityMs;
    const ids = await listIdleSessions(database, idleSinceMs, { except: later.resting });
    const options = { later, atOnce: EXPIRIES_AT_ONCE };
    await this.#sweep('expire a session', ids, options, (live) => live.expireIfIdle());
  }

  async #sweep(
    what: string,
    ids: readonly string[],
    options: { readonly later: RetryLater<string>; readonly atOnce?: number },
    work: (live: LiveSession) => Promise<void>,
  ): Promise<void> {
    const { observer } = this.#host.services;
    await sweepItems(ids, {
      ...options,
      work: async (id) => {
        const facts = await this.#host.load(id);
        const live = facts === null ? null : await this.#host.adopt(facts);
        if (live === null) return;
        await work(live).catch((error: unknown) => {
          // Another node was faster, or the session has ended: nothing is left to do here.
          if (!isSessionLoss(error)) throw error;
        });
      },
      onFailure: (error, sessionId) => observer.failed(what, error, { sessionId }),
    });
  }
}

function shuffle<T>(values: readonly T[]): readonly T[] {
  return values
    .map((value) => ({ value, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}
