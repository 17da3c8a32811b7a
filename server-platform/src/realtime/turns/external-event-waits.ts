import type { AgentExternalEvent, AgentTurn, WaitForEventAction } from '../../agents/index.ts';
import type { Sql } from '../../db/index.ts';
import type { SessionPort } from '../conversation/index.ts';
import {
  type ExternalState,
  loadExternalState,
  type OpenWait,
  openWait,
  type ReceivedEvent,
  settleAllWaits,
  type WaitOwner,
  type WaitRound,
} from '../external-events/index.ts';

/** A turn in which the agent gets an external event, or the information that none came in time. */
export interface EventTurn {
  readonly kind: 'event';
  readonly wait: WaitRound;
  readonly event: NonNullable<AgentTurn['event']>;
}

/**
 * The external events that a conversation waits for, and those that arrived, as this node last read them from the
 * database. A wait ends once: it is settled in the commit that ends the turn in which the event was delivered.
 */
export class ExternalEventWaits {
  readonly #port: SessionPort;
  /** Called when a wait is due: the waits are to be read again. */
  readonly #onDue: () => void;
  #hasIds = false;
  #open: readonly OpenWait[] = [];
  #received: readonly ReceivedEvent[] = [];
  #shown: readonly ReceivedEvent[] = [];
  /** Waits whose turn is queued or running. */
  readonly #delivered = new Set<string>();
  /** Raised by `clear`. */
  #epoch = 0;
  #cancelTimer: () => void = () => {};

  constructor(port: SessionPort, onDue: () => void) {
    this.#port = port;
    this.#onDue = onDue;
  }

  /** Every event that has arrived so far, in order, for a turn that starts now. */
  async show(): Promise<readonly AgentExternalEvent[]> {
    // An event that no wait asks for any more is stored without a message to this node.
    if (this.#hasIds) await this.read();
    this.#shown = this.#received;
    return this.#shown.map(toAgentEvent);
  }

  /** Replaces everything by what the database holds. */
  load({ hasIds, waits, received }: ExternalState): void {
    this.#hasIds = hasIds;
    this.#open = waits;
    this.#received = received;
    this.#schedule();
  }

  /** Reads the database again. */
  async read(): Promise<void> {
    const epoch = this.#epoch;
    const state = await loadExternalState(this.#port.context.database, this.#owner.conversationId);
    // When the session was released meanwhile, its next owner reads them again.
    if (epoch === this.#epoch) this.load(state);
  }

  /** Makes the id valid and begins to wait. Rejects when the id belongs to another conversation. */
  async open(wait: WaitForEventAction): Promise<void> {
    const { database, clock } = this.#port.context;
    const known = this.#shown.findLast(({ id }) => id === wait.eventId);
    const opened = await openWait(database, this.#owner, wait, {
      nowMs: clock.now(),
      toldUntil: known?.ordinal ?? 0,
    });
    this.#hasIds = true;
    const others = this.#open.filter(({ eventId, name }) => eventId !== wait.eventId && name !== wait.name);
    this.#open = [...others, opened];
    this.#schedule();
  }

  /** The turns of the waits that ended since the last call, by an event or because their time is over. */
  takeEnded(): readonly EventTurn[] {
    const nowMs = this.#port.context.clock.now();
    const ended: EventTurn[] = [];
    for (const { eventId, round, name, toldUntil, dueAtMs, isBegun } of this.#open) {
      // Its turn runs, or ran when its node died: the next owner settles that.
      if (isBegun) continue;
      const received = this.#received.find(({ id, ordinal }) => id === eventId && ordinal > toldUntil);
      const key = `${eventId} ${round}`;
      if (this.#delivered.has(key) || (received === undefined && dueAtMs > nowMs)) continue;
      this.#delivered.add(key);
      const event = { name, received: received === undefined ? null : toAgentEvent(received) };
      ended.push({ kind: 'event', wait: { eventId, round }, event });
    }
    return ended;
  }

  /** The event was delivered, and that is stored. */
  settle({ eventId, round }: WaitRound): void {
    this.#open = this.#open.filter((wait) => wait.eventId !== eventId || wait.round !== round);
  }

  /** The statement that belongs to the commit that ends the conversation. */
  get ending(): ((sql: Sql) => Promise<void>) | undefined {
    if (this.#open.length === 0) return undefined;
    return (sql) => settleAllWaits(sql, this.#owner.conversationId, this.#port.context.clock.now());
  }

  /** Clears the memory; nothing is lost, because everything is in the database. */
  clear(): void {
    this.#epoch += 1;
    this.#cancelTimer();
    this.#hasIds = false;
    this.#open = [];
    this.#received = [];
    this.#shown = [];
    this.#delivered.clear();
  }

  get #owner(): WaitOwner {
    const { row, connector, epoch } = this.#port;
    return {
      sessionId: row.id,
      // Written under no epoch by a node that has lost the session.
      sessionEpoch: epoch ?? -1,
      conversationId: row.conversationId ?? '',
      projectId: connector.projectId,
    };
  }

  #schedule(): void {
    const { clock } = this.#port.context;
    const nowMs = clock.now();
    this.#cancelTimer();
    const ahead = this.#open.filter(({ dueAtMs }) => dueAtMs > nowMs).map(({ dueAtMs }) => dueAtMs);
    this.#cancelTimer =
      ahead.length === 0 ? () => {} : clock.setTimer(this.#onDue, Math.min(...ahead) - nowMs);
  }
}

function toAgentEvent({ ordinal: _, ...event }: ReceivedEvent): AgentExternalEvent {
  return event;
}
