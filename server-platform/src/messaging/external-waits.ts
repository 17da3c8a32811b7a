import type { AgentExternalEvent, AgentTurn, WaitForEventAction } from '../agents/index.ts';
import type { Database, Sql } from '../db/index.ts';
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
import type { Clock } from './clock.ts';

/** A turn in which the agent is told that something came, or that the time is up. */
export interface EventTurn {
  readonly kind: 'event';
  readonly wait: WaitRound;
  readonly event: NonNullable<AgentTurn['event']>;
}

/** What the waits of a session need from it. */
export interface WaitHost {
  readonly clock: Clock;
  readonly database: Database;
  /** Whose waits these are. */
  owner(): WaitOwner;
  /** The agent has to be told. */
  onOver(turn: EventTurn): void;
  /** A wait falls due: the session is to read its waits again. */
  onDue(): void;
}

/**
 * What a conversation waits for from outside, and what has come. The truth is in the database; this is what this node
 * last read of it. A wait ends once: it is settled in the commit that ends the turn in which the agent was told.
 */
export class ExternalWaits {
  readonly #host: WaitHost;
  #hasIds = false;
  #open: readonly OpenWait[] = [];
  #received: readonly ReceivedEvent[] = [];
  #shown: readonly ReceivedEvent[] = [];
  /** Rounds whose turn is queued or running. */
  readonly #told = new Set<string>();
  /** Raised by `clear`. */
  #epoch = 0;
  #cancelTimer: () => void = () => {};

  constructor(host: WaitHost) {
    this.#host = host;
  }

  /** Everything that has come so far, in order, for a turn that begins now. */
  async show(): Promise<readonly AgentExternalEvent[]> {
    // What nobody waits for any more is stored without a word to this node.
    if (this.#hasIds) await this.read();
    this.#shown = this.#received;
    return this.#shown.map(toAgentEvent);
  }

  /** Takes over what the database holds, and tells the agent of what it does not know yet. */
  take({ hasIds, waits, received }: ExternalState): void {
    this.#hasIds = hasIds;
    this.#open = waits;
    this.#received = received;
    this.#tell();
  }

  /** Reads the database again. */
  async read(): Promise<void> {
    const epoch = this.#epoch;
    const state = await loadExternalState(this.#host.database, this.#host.owner().conversationId);
    // The session was let go of meanwhile: whoever takes it up reads anew.
    if (epoch === this.#epoch) this.take(state);
  }

  /** Makes the id valid and begins to wait. Rejects when the id belongs to another conversation. */
  async open(wait: WaitForEventAction): Promise<void> {
    const { database, clock } = this.#host;
    const known = this.#shown.findLast(({ id }) => id === wait.eventId);
    const opened = await openWait(database, this.#host.owner(), wait, {
      nowMs: clock.now(),
      toldUntil: known?.ordinal ?? 0,
    });
    this.#hasIds = true;
    const others = this.#open.filter(({ eventId, name }) => eventId !== wait.eventId && name !== wait.name);
    this.#open = [...others, opened];
    this.#tell();
  }

  /** The agent was told, and that is on record. */
  settle({ eventId, round }: WaitRound): void {
    this.#open = this.#open.filter((wait) => wait.eventId !== eventId || wait.round !== round);
  }

  /** What else is stored when the conversation ends. */
  get ending(): ((sql: Sql) => Promise<void>) | undefined {
    if (this.#open.length === 0) return undefined;
    return (sql) => settleAllWaits(sql, this.#host.owner().conversationId, this.#host.clock.now());
  }

  /** Forgets what it knows; nothing of it is lost. */
  clear(): void {
    this.#epoch += 1;
    this.#cancelTimer();
    this.#hasIds = false;
    this.#open = [];
    this.#received = [];
    this.#shown = [];
    this.#told.clear();
  }

  #tell(): void {
    const nowMs = this.#host.clock.now();
    for (const { eventId, round, name, toldUntil, dueAtMs, isBegun } of this.#open) {
      // The agent is at it, or was when its node died: a claim settles that.
      if (isBegun) continue;
      const received = this.#received.find(({ id, ordinal }) => id === eventId && ordinal > toldUntil);
      const key = `${eventId} ${round}`;
      if (this.#told.has(key) || (received === undefined && dueAtMs > nowMs)) continue;
      this.#told.add(key);
      this.#host.onOver({
        kind: 'event',
        wait: { eventId, round },
        event: { name, received: received === undefined ? null : toAgentEvent(received) },
      });
    }
    this.#arm(nowMs);
  }

  #arm(nowMs: number): void {
    this.#cancelTimer();
    const ahead = this.#open.filter(({ dueAtMs }) => dueAtMs > nowMs).map(({ dueAtMs }) => dueAtMs);
    this.#cancelTimer =
      ahead.length === 0
        ? () => {}
        : this.#host.clock.setTimer(() => this.#host.onDue(), Math.min(...ahead) - nowMs);
  }
}

function toAgentEvent({ ordinal: _, ...event }: ReceivedEvent): AgentExternalEvent {
  return event;
}
