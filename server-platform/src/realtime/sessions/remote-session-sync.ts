import { toOutgoing } from '../conversation/index.ts';
import type { StoredSession } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import type { SessionStatusRow } from '../ownership/index.ts';

const PAGE_EVENTS = 200;

/**
 * The last event of a session's log that reached this node, over the bus or otherwise; reads what the bus has lost. While
 * another node may write the session, it follows the session on the bus; for the connections of this node as well.
 */
export class RemoteSessionSync {
  readonly #context: Pick<MessagingContext, 'bus' | 'log'>;
  readonly #sessionId: string;
  readonly #unsubscribe: () => void;
  #lastSequence: number;
  /** `null` while this node is the only writer. */
  #unfollow: (() => void) | null;
  #isStopped = false;

  /** `onEnd` is called when this node or another one has written SESSION_END; it gets the event's time. */
  constructor(
    context: Pick<MessagingContext, 'bus' | 'log'>,
    { id, lastSequence }: Pick<StoredSession, 'id' | 'lastSequence'>,
    onEnd: (atMs: number) => void,
  ) {
    this.#context = context;
    this.#sessionId = id;
    this.#lastSequence = lastSequence;
    this.#unfollow = context.bus.follow(id);
    this.#unsubscribe = context.bus.subscribeHere(id, (message) => {
      if (message.kind !== 'events') return;
      for (const { sequence, type, timestampMs } of message.events) {
        if (sequence !== null && sequence > this.#lastSequence) this.#lastSequence = sequence;
        if (type === 'EVENT_TYPE_SESSION_END') onEnd(timestampMs);
      }
    });
  }

  /** Sends the connections of this node the events of the log that did not reach it. */
  async catchUp({ lastSequence }: Pick<SessionStatusRow, 'lastSequence'>): Promise<void> {
    const { bus, log } = this.#context;
    while (this.#lastSequence < lastSequence) {
      const { events: found } = await log.readPage(this.#sessionId, this.#lastSequence, PAGE_EVENTS);
      if (found.length === 0) return;
      // The bus may have brought these events already: connections skip the ones that they have sent.
      bus.deliverHere(this.#sessionId, { kind: 'events', events: found.map(toOutgoing) });
    }
  }

  /** Whether another node may write the session. */
  setRemote(isRemote: boolean): void {
    if (!isRemote || this.#isStopped) {
      this.#unfollow?.();
      this.#unfollow = null;
    } else this.#unfollow ??= this.#context.bus.follow(this.#sessionId);
  }

  stop(): void {
    this.#isStopped = true;
    this.setRemote(false);
    this.#unsubscribe();
  }
}
