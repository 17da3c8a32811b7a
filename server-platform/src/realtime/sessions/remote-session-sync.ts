import { toOutgoing } from '../conversation/index.ts';
import type { StoredSession } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import type { SessionStatusRow } from '../ownership/index.ts';

const PAGE_EVENTS = 200;

/**
 * Tracks the last event of a session that reached this node, over the bus or otherwise, and reads lost events from the
 * log. Subscribes to the session on the bus while another node may write it.
 */
export class RemoteSessionSync {
  readonly #context: Pick<MessagingContext, 'bus' | 'log'>;
  readonly #sessionId: string;
  readonly #unsubscribe: () => void;
  #lastSequence: number;
  /** `null` while this node is the only writer. */
  #unfollow: (() => void) | null;
  #isStopped = false;

  /** `onEnd` is called with the event's time when any node has written SESSION_END. */
  constructor(
    context: Pick<MessagingContext, 'bus' | 'log'>,
    { id, lastSequence }: Pick<StoredSession, 'id' | 'lastSequence'>,
    onEnd: (atMs: number) => void,
  ) {
    this.#context = context;
    this.#sessionId = id;
    this.#lastSequence = lastSequence;
    this.#unfollow = context.bus.follow(id);
    this.#unsubscribe = context.bus.subscribeLocal(id, (message) => {
      if (message.kind !== 'events') return;
      for (const { sequence, type, timestampMs } of message.events) {
        if (sequence !== null && sequence > this.#lastSequence) this.#lastSequence = sequence;
        if (type === 'EVENT_TYPE_SESSION_END') onEnd(timestampMs);
      }
    });
  }

  /** Sends this node's connections the events that they missed. */
  async catchUp({ lastSequence }: Pick<SessionStatusRow, 'lastSequence'>): Promise<void> {
    const { bus, log } = this.#context;
    while (this.#lastSequence < lastSequence) {
      const { events: found } = await log.readPage(this.#sessionId, this.#lastSequence, PAGE_EVENTS);
      if (found.length === 0) return;
      // The bus may have delivered these events already; connections skip those that they have sent.
      bus.deliverLocal(this.#sessionId, { kind: 'events', events: found.map(toOutgoing) });
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
