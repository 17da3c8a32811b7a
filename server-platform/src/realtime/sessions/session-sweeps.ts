import { RetryLater, sweepItems } from '../../jobs/index.ts';
import { listIdleSessions } from '../event-log/index.ts';
import { listSessionsToNotify } from '../external-events/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { listSessionsToRecover, removeExpiredNodes } from '../ownership/index.ts';
import { isSessionLoss } from '../session-loss.ts';
import type { Session } from './session.ts';
import type { SessionManager } from './session-manager.ts';

// Hundreds may wait after a crash. Each takes several statements, so more than the pool has connections would only
// queue.
const RECOVERIES_AT_ONCE = 16;
const RECOVERIES_PER_SEARCH = 200;
// An expiry may have to wait for a dead node's lease.
const EXPIRIES_AT_ONCE = 8;

/** The session manager as its sweeps use it. */
type SweptSessions = Pick<SessionManager, 'isClosing' | 'leftOpen' | 'read' | 'load' | 'unloadUnused'>;

/** Periodic sweeps over the database. An unreadable session never blocks the others. */
export class SessionSweeps {
  readonly #context: MessagingContext;
  readonly #manager: SweptSessions;
  readonly #recoveries: RetryLater<string>;
  readonly #notifications: RetryLater<string>;
  readonly #expiries: RetryLater<string>;
  #recovering: Promise<void> | null = null;

  constructor(context: MessagingContext, manager: SweptSessions) {
    const { clock } = context;
    this.#context = context;
    this.#manager = manager;
    this.#recoveries = new RetryLater({ clock });
    this.#notifications = new RetryLater({ clock });
    this.#expiries = new RetryLater({ clock });
  }

  /** Runs all steps, even after a failure. Never rejects. */
  async run(): Promise<void> {
    const steps = {
      'recover sessions': () => this.recover(),
      'notify agents of ended waits': () => this.notifyAgents(),
      'expire idle sessions': () => this.#expireIdle(),
      'release unused sessions': () => this.#manager.unloadUnused(),
      'remove the leases of dead nodes': () => removeExpiredNodes(this.#context.database),
    };
    for (const [what, step] of Object.entries(steps)) {
      await step().catch((error: unknown) => this.#context.observer.failed(what, error));
    }
  }

  /** Resumes all sessions whose owner died during a turn. Concurrent calls share one run. */
  recover(): Promise<void> {
    this.#recovering ??= this.#recoverAll().finally(() => {
      this.#recovering = null;
    });
    return this.#recovering;
  }

  async #recoverAll(): Promise<void> {
    const { database } = this.#context;
    const later = this.#recoveries;
    const options = { later, atOnce: RECOVERIES_AT_ONCE };
    const recover = (session: Session): Promise<void> => session.recover({ isPatient: false });
    const leftOpen = this.#manager.isClosing ? [] : this.#manager.leftOpen;
    const resting = new Set(later.resting);
    await this.#sweep(
      'recover a session',
      leftOpen.filter((id) => !resting.has(id)),
      options,
      recover,
    );
    const tried = new Set(leftOpen);
    while (!this.#manager.isClosing) {
      const ids = await listSessionsToRecover(database, {
        limit: RECOVERIES_PER_SEARCH,
        except: [...later.resting, ...tried],
      });
      // Several nodes find the same sessions at the same time, so each starts at a different one.
      await this.#sweep('recover a session', shuffle(ids), options, recover);
      if (ids.length < RECOVERIES_PER_SEARCH) return;
      for (const id of ids) tried.add(id);
    }
  }

  /** Notifies agents of external events, in all sessions or in one. Source: `rest.md`, EE-6. */
  async notifyAgents(sessionId?: string): Promise<void> {
    if (this.#manager.isClosing) return;
    const { database, lease, clock } = this.#context;
    const later = this.#notifications;
    // An event has just arrived for this session, so it is retried now.
    if (sessionId !== undefined) later.noteSuccess(sessionId);
    const options = { sessionId, except: later.resting };
    const ids = await listSessionsToNotify(database, lease.node, clock.now(), options);
    await this.#sweep('notify the agent of an ended wait', ids, { later }, (session) =>
      session.readExternalEvents(),
    );
  }

  /** Expires idle sessions that are not loaded on this node; loaded ones have their own timer. */
  async #expireIdle(): Promise<void> {
    if (this.#manager.isClosing) return;
    const { database, clock, limits } = this.#context;
    const later = this.#expiries;
    const idleSinceMs = clock.now() - limits.inactivityMs;
    const ids = await listIdleSessions(database, idleSinceMs, { except: later.resting });
    const options = { later, atOnce: EXPIRIES_AT_ONCE };
    await this.#sweep('expire a session', ids, options, (session) => session.expireIfIdle());
  }

  async #sweep(
    what: string,
    ids: readonly string[],
    options: { readonly later: RetryLater<string>; readonly atOnce?: number },
    work: (session: Session) => Promise<void>,
  ): Promise<void> {
    const { observer } = this.#context;
    await sweepItems(ids, {
      ...options,
      work: async (id) => {
        const row = await this.#manager.read(id);
        const session = row === null ? null : await this.#manager.load(row);
        if (session === null) return;
        await work(session).catch((error: unknown) => {
          // Another node was faster, or the session has ended.
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
