import type { MessagingContext } from '../messaging-context.ts';
import { loadSessionStatus } from '../ownership/index.ts';
import type { Session } from './session.ts';

/** A session in this node's memory. */
type LoadedSession = Pick<Session, 'id' | 'owner' | 'isOwned' | 'isOver' | 'usage' | 'applyRemoteStatus'>;

// Safety poll for lost bus messages; normally finds none. One query for all sessions.
const SAFETY_MS = 5_000;
// While the bus is down, polling replaces it.
const WITHOUT_BUS_MS = 500;

/** Polls the database for sessions owned by other nodes: every few seconds, and often while the bus is down. */
export class RemoteSessionPoller {
  readonly #context: MessagingContext;
  readonly #sessions: ReadonlyMap<string, LoadedSession>;
  #polling: Promise<void> | null = null;
  #mustPollAgain = false;
  #isStopped = true;
  #cancel: () => void = () => {};

  constructor(context: MessagingContext, sessions: ReadonlyMap<string, LoadedSession>) {
    this.#context = context;
    this.#sessions = sessions;
  }

  start(): void {
    const { peers } = this.#context;
    if (!peers.isShared) return;
    this.#isStopped = false;
    peers.onPossibleLoss(() => this.poll());
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#polling;
  }

  #schedule(): void {
    const { clock, peers } = this.#context;
    const isLost = (owner: string | null): boolean => owner !== null && !peers.canReach(owner);
    const isCutOff = !peers.isAlone && (!peers.isUp || this.#remote().some(({ owner }) => isLost(owner)));
    this.#cancel = clock.setTimer(
      () => {
        if (peers.isAlone) this.#schedule();
        else this.poll();
      },
      isCutOff ? WITHOUT_BUS_MS : SAFETY_MS,
    );
  }

  /** Polls now; if a poll is in flight, polls again after it. */
  poll(): void {
    if (this.#isStopped) return;
    this.#cancel();
    this.#mustPollAgain = true;
    this.#polling ??= this.#pollAll().finally(() => {
      this.#polling = null;
      // A poll may have been requested since the last one returned.
      if (this.#mustPollAgain) this.poll();
      else if (!this.#isStopped) this.#schedule();
    });
  }

  async #pollAll(): Promise<void> {
    const { database, observer } = this.#context;
    const report = (error: unknown): void => observer.failed('follow the sessions of other nodes', error);
    while (this.#mustPollAgain) {
      this.#mustPollAgain = false;
      const remote = new Map(this.#remote().map((session) => [session.id, session]));
      if (remote.size === 0) return;
      try {
        const rows = await loadSessionStatus(database, [...remote.keys()]);
        // A failed session must not block the others.
        await Promise.all(rows.map((row) => remote.get(row.id)?.applyRemoteStatus(row).catch(report)));
      } catch (error) {
        // Connections stay open, because the next poll may succeed.
        report(error);
      }
    }
  }

  /** Sessions with connections here that another node owns, or may own. */
  #remote(): readonly LoadedSession[] {
    return [...this.#sessions.values()].filter(
      ({ usage, isOwned, isOver }) => usage.connections > 0 && !isOwned && !isOver,
    );
  }
}
