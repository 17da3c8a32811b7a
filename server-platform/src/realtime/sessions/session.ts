import type { ClientEvent, CustomMap, OutgoingEvent, Vocabulary } from 'natter/protocol';
import type { MessagingConnector } from '../conversation/index.ts';
import { transientEvent } from '../conversation/index.ts';
import { type StoredSession, setVocabulary } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import type { SessionStatusRow } from '../ownership/index.ts';
import { isStaleOwner } from '../session-loss.ts';
import { CommandRateLimiter } from './commands/command-rate-limiter.ts';
import {
  createBufferedReply,
  type ForwardedCommand,
  type ForwardResult,
} from './commands/forward-command.ts';
import { answerFailure, handleCommand, storeBeside } from './commands/handle-command.ts';
import { ROUTE_GRACE_MS, routeCommand } from './commands/route-command.ts';
import type { ReplyTarget } from './reply-target.ts';
import { SessionCore } from './session-core.ts';
import type { AcquireOptions } from './session-lease.ts';

/**
 * One conversation on one node: an actor that handles one command at a time. While this node owns the session, it writes
 * the log and runs the turns; otherwise it forwards commands to the owner. Everything in memory can be read from the log
 * again; when storing fails in a way that leaves doubt, the memory is discarded, and the next command reads the log.
 */
export class Session {
  /** The connections of this node, and since when there is none. Kept by the session manager. */
  readonly usage: { connections: number; unusedSinceMs: number };
  readonly #context: MessagingContext;
  readonly #core: SessionCore;
  readonly #rateLimiter: CommandRateLimiter;

  constructor(context: MessagingContext, row: StoredSession, connector: MessagingConnector) {
    this.usage = { connections: 0, unusedSinceMs: context.clock.now() };
    this.#context = context;
    this.#core = new SessionCore(context, row, connector);
    this.#rateLimiter = new CommandRateLimiter(context);
    if (!this.isOver) this.#core.idle.start();
  }

  get row(): StoredSession {
    return this.#core.row;
  }

  get id(): string {
    return this.row.id;
  }

  get isOver(): boolean {
    return this.#core.state.isOver;
  }

  get hasConversation(): boolean {
    return this.row.conversationStatus === 'running';
  }

  get lastActivityMs(): number {
    return this.#core.idle.lastMs;
  }

  /** The epoch under which this node writes the session; `null` while it does not, or is still acquiring it. */
  get epoch(): number | null {
    return this.#core.epoch;
  }

  /** Whether this node writes the session's log, or is about to. */
  get isOwned(): boolean {
    return this.#core.isOwned;
  }

  /** The other node that owns the session, as far as this one knows. */
  get owner(): string | null {
    return this.#core.lease.owner;
  }

  /** Whether a turn, a hand-off or a survey needs this node. */
  get isBusy(): boolean {
    return this.#core.isBusy;
  }

  /** See {@link SessionCore.isLeftOpen}. */
  get isLeftOpen(): boolean {
    return this.#core.isLeftOpen;
  }

  /** The latest state for a new connection, sent after its replay (5.5). */
  get stateEvents(): readonly OutgoingEvent[] {
    const status = this.#core.handoff.queueStatus;
    if (status === null) return [];
    return [transientEvent(this.#context.clock.now(), 'EVENT_TYPE_HANDOFF_QUEUE_STATUS', status)];
  }

  /** A valid client event arrived; counts also when the event is dropped afterwards (section 16). */
  noteActivity(): void {
    if (this.isOver) this.#core.idle.learn(this.#context.clock.now());
    else this.#core.idle.note();
  }

  /** Applies the row that a handshake has read. */
  applyRow(row: StoredSession): void {
    if (this.isOwned || this.isOver) return;
    this.#core.state.applyPatch({ ...row, vocabulary: row.vocabulary ?? this.row.vocabulary });
    this.#core.lease.owner = row.ownerNode;
    this.#core.idle.learn(row.lastActivityMs);
  }

  /** Applies a fresh database read of a session owned by another node, and sends missed events to local connections. */
  async applyRemoteStatus(status: SessionStatusRow): Promise<void> {
    if (this.isOwned) return;
    this.#core.lease.owner = status.owner;
    this.#core.idle.learn(status.lastActivityMs);
    await this.#core.sync.catchUp(status);
  }

  /** Remembered for the next connection. Source: V-5 (c). */
  rememberVocabulary(vocabulary: Vocabulary): void {
    if (this.row.vocabulary === vocabulary) return;
    this.#core.state.applyPatch({ vocabulary });
    setVocabulary(this.#context.database, this.id, vocabulary).catch((error: unknown) =>
      this.#core.report('remember the vocabulary', error),
    );
  }

  /** The verified context was replaced (VCI-8); turns from the next one on get it. */
  setContextVault(contextVault: NonNullable<StoredSession['contextVault']>): void {
    this.#core.state.applyPatch({ contextVault });
  }

  /** Counts a frame when it arrives. False when it exceeds the rate limit: it is dropped, and its sender warned. */
  admit(custom: CustomMap | null, reply: Pick<ReplyTarget, 'deliver'>): boolean {
    if (this.#rateLimiter.take()) return true;
    this.#rateLimiter.warn(custom, reply);
    return false;
  }

  /** Warns the sender of a frame that is dropped because its address or project has sent too much. */
  warn(custom: CustomMap | null, reply: Pick<ReplyTarget, 'deliver'>): void {
    this.#rateLimiter.warn(custom, reply);
  }

  /**
   * Handles or forwards one command of a connection of this node, after those before it. A command that arrives after a
   * release is not acknowledged, so the client sends it again, to the next owner. Never rejects.
   */
  async dispatch(command: ClientEvent, reply: ReplyTarget): Promise<void> {
    const { clock, lease } = this.#context;
    // Counted from its arrival: a client that has given a message up must not find it stored later (DEL-4).
    const giveUpAtMs = clock.now() + lease.durationMs + ROUTE_GRACE_MS;
    try {
      await this.#core.queue.runBeside(
        () => storeBeside(this.#core, command, reply),
        () => routeCommand(this.#core, command, reply, giveUpAtMs),
      );
    } catch (error) {
      answerFailure(this.#core, error, command, reply);
    }
  }

  /** Handles a command that another node forwarded, if this one owns the session. */
  async receive({ event, draftId, isAdmitted }: ForwardedCommand): Promise<ForwardResult> {
    const isWithinRateLimit = this.#rateLimiter.take() && isAdmitted;
    const reply = createBufferedReply();
    return await this.#core.queue.run(async () => {
      if (this.isOver) return reply.result();
      if (this.#core.isReleased || !this.isOwned) return { status: 'not_owner' };
      this.noteActivity();
      try {
        if (isWithinRateLimit) await handleCommand(this.#core, event, reply, draftId);
        else this.#rateLimiter.warn(event.custom, reply);
      } catch (error) {
        if (isStaleOwner(error)) return { status: 'not_owner' };
        answerFailure(this.#core, error, event, reply);
      }
      return reply.result();
    });
  }

  /** External events arrived, or the time for them is over: acquires the session if need be, and queues their turns. */
  async readExternalEvents(): Promise<void> {
    await this.#core.queue.run(async () => {
      if (!this.#core.isOpen) return;
      // Acquiring the session reads them as well.
      if (this.isOwned) await this.#core.turns.readExternalEvents();
      else await this.#core.ensureOwner();
    });
  }

  /**
   * Acquires the session if it has no owner, and resumes its unfinished turns. Rejects with a `SessionLossError` when
   * another node owns it.
   */
  async recover(options: AcquireOptions = {}): Promise<void> {
    await this.#core.queue.run(async () => {
      if (this.#core.isOpen) await this.#core.ensureOwner(options);
    });
  }

  /** Ends the session as abandoned if the user was idle for too long. Rejects with a `SessionLossError`. Source: HB-4. */
  expireIfIdle(): Promise<void> {
    return this.#core.expireIfIdle();
  }

  /** Ends the session as abandoned now. */
  async expire(): Promise<void> {
    await this.#core.queue.run(async () => {
      if (!this.isOver) await this.#core.expire();
    });
  }

  /** Starts no more turns and resolves when none runs; what waits stays on record for the next owner. */
  async finishTurns(): Promise<void> {
    const { turns } = this.#core;
    turns.pause();
    await this.#core.queue.idle();
    await turns.idle();
    await this.#core.queue.idle();
  }

  /**
   * Another node has taken the session, or may take it. Connections stay: events of its owner arrive over the bus, and
   * the next command acquires the session again.
   */
  loseOwnership(): void {
    if (this.epoch !== null) this.#core.releaseOwnership('another node owns the session');
  }

  /**
   * Releases the session for good: stops its timers and turns, and resolves when nothing is being written any more.
   * Another object or node can load it from its log.
   */
  async release(): Promise<void> {
    this.#core.isReleased = true;
    this.#core.idle.stop();
    this.#core.sync.stop();
    this.#core.releaseOwnership('released');
    await this.#core.queue.idle();
    await this.#core.turns.idle();
    this.#core.lease.release();
  }

  /** The session was erased: releases it for good, and notifies the human desk of the end. */
  async erase(): Promise<void> {
    this.#core.handoff.close('user_ended');
    await this.release();
  }
}
