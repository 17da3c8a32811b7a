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

/** A turn in which the agent receives an external event or its timeout. */
export interface EventTurn {
  readonly kind: 'event';
  readonly wait: WaitRound;
  readonly event: NonNullable<AgentTurn['event']>;
}

/**
 * The external events that a conversation waits for, and those that arrived, as this node last read them from the
 * database. A wait ends once: it is settled in the commit of the turn that delivered the event.
 */
export class ExternalEventWaits {
  readonly #port: SessionPort;
  /** Called when a wait is due, to reload the waits. */
  readonly #onDue: () => void;
  #hasIds = false;
  #open: readonly OpenWait[] = [];
  #received: readonly ReceivedEvent[] = [];
  #shown: readonly ReceivedEvent[] = [];
  /** Waits with a queued or running turn. */
  readonly #delivered = new Set<string>();
  /** Incremented by `clear`. */
  #epoch = 0;
  #cancelTimer: () => void = () => {};

  constructor(port: SessionPort, onDue: () => void) {
    this.#port = port;
    this.#onDue = onDue;
  }

  /** All events so far, in order, for a turn that starts now. */
  async show(): Promise<readonly AgentExternalEvent[]> {
    // Events that no wait is open for are stored without notifying this node.
    if (this.#hasIds) await this.read();
    this.#shown = this.#received;
    return this.#shown.map(toAgentEvent);
  }

  /** Replaces all state with the database's. */
  load({ hasIds, waits, received }: ExternalState): void {
    this.#hasIds = hasIds;
    this.#open = waits;
    this.#received = received;
    this.#schedule();
  }

  /** Reloads the state from the database. */
  async read(): Promise<void> {
    const epoch = this.#epoch;
    const state = await loadExternalState(this.#port.context.database, this.#owner.conversationId);
    // If the session was released meanwhile, its next owner reads them.
    if (epoch === this.#epoch) this.load(state);
  }

  /** Stores the id and starts waiting. Rejects when the id belongs to another conversation. */
  async open(wait: WaitForEventAction): Promise<void> {
    const { database, clock } = this.#port.context;
    const known = this.#shown.findLast(({ id }) => id === wait.eventId);
    const opened = await openWait(database, this.#owner, wait, {
      nowMs: clock.now(),
      deliveredUpTo: known?.ordinal ?? 0,
    });
    this.#hasIds = true;
    const others = this.#open.filter(({ eventId, name }) => eventId !== wait.eventId && name !== wait.name);
    this.#open = [...others, opened];
    this.#schedule();
  }

  /** Turns of the waits that ended since the last call, by an event or by timeout. */
  takeEnded(): readonly EventTurn[] {
    const nowMs = this.#port.context.clock.now();
    const ended: EventTurn[] = [];
    for (const { eventId, round, name, deliveredUpTo, dueAtMs, isBegun } of this.#open) {
      // Its turn is running, or was interrupted when its node died; the next owner settles that.
      if (isBegun) continue;
      const received = this.#received.find(({ id, ordinal }) => id === eventId && ordinal > deliveredUpTo);
      const key = `${eventId} ${round}`;
      if (this.#delivered.has(key) || (received === undefined && dueAtMs > nowMs)) continue;
      this.#delivered.add(key);
      const event = { name, received: received === undefined ? null : toAgentEvent(received) };
      ended.push({ kind: 'event', wait: { eventId, round }, event });
    }
    return ended;
  }

  /** Settles a wait whose delivery is stored. */
  settle({ eventId, round }: WaitRound): void {
    this.#open = this.#open.filter((wait) => wait.eventId !== eventId || wait.round !== round);
  }

  /** The statement for the commit that ends the conversation. */
  get ending(): ((sql: Sql) => Promise<void>) | undefined {
    if (this.#open.length === 0) return undefined;
    return (sql) => settleAllWaits(sql, this.#owner.conversationId, this.#port.context.clock.now());
  }

  /** Clears the state in memory; the database still has everything. */
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
      // Invalid epoch, so that a node that lost the session writes nothing.
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
