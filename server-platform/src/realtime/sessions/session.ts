import { CLOSE_CODES, type KnownEventType, type OutgoingEvent, type Vocabulary } from 'natter/protocol';
import type { AgentHistoryEntry, HandoffAction } from '../../agents/index.ts';
import { Handoff } from '../../handoff/session/index.ts';
import type {
  AppendOutcome,
  ClientEventDraft,
  EventDraft,
  MessagingConnector,
  SessionPort,
  WaitingTurn,
} from '../conversation/index.ts';
import { sessionUnavailable, transientEvent } from '../conversation/index.ts';
import { type AppendEffects, type StoredSession, setVocabulary } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import type { SessionStatusRow } from '../ownership/index.ts';
import { isSessionLoss, SessionLossError } from '../session-loss.ts';
import { TurnQueue } from '../turns/turn-queue.ts';
import { SessionCommands } from './commands/session-commands.ts';
import { endInterruptedTurns } from './end-interrupted-turns.ts';
import { endConversation, endSession } from './end-session.ts';
import { EventAppender } from './event-appender.ts';
import { IdleMonitor } from './idle-monitor.ts';
import { type LoadedSession, readInput, readSession } from './load-session.ts';
import { RemoteSessionSync } from './remote-session-sync.ts';
import { closeCodeOf } from './reply-target.ts';
import { SerialQueue } from './serial-queue.ts';
import { type AcquireOptions, SessionLease } from './session-lease.ts';
import { SessionState } from './session-state.ts';
import { SessionSurvey } from './survey.ts';

/**
 * One conversation on one node: an actor that handles one command at a time. While this node owns the session, it
 * writes the log and runs the turns; otherwise it forwards commands to the owner. All state in memory can be reloaded
 * from the log; when a failed write leaves doubt, the state is discarded, and the next command reloads it.
 *
 * Turns and handoff use it as their {@link SessionPort}.
 */
export class Session implements SessionPort {
  readonly context: MessagingContext;
  readonly queue: SerialQueue = new SerialQueue();
  readonly state: SessionState;
  readonly lease: SessionLease;
  readonly appender: EventAppender;
  readonly turns: TurnQueue;
  readonly handoff: Handoff;
  readonly survey: SessionSurvey;
  readonly idle: IdleMonitor;
  readonly sync: RemoteSessionSync;
  readonly commands: SessionCommands;
  /** Connections on this node, and since when there are none. Maintained by the session manager. */
  readonly usage: { connections: number; unusedSinceMs: number };
  /** This node has released the session for good. */
  isReleased = false;
  #isAcquiring = false;
  #isLeftOpen = false;

  constructor(context: MessagingContext, row: StoredSession, connector: MessagingConnector) {
    this.context = context;
    this.usage = { connections: 0, unusedSinceMs: context.clock.now() };
    this.state = new SessionState(row, connector, context.limits.historyBytes);
    this.lease = new SessionLease(context, this.state);
    this.lease.onLeaseLost = (error) => this.discard(error);
    this.appender = new EventAppender(context, this.state, this.lease);
    this.turns = new TurnQueue(this);
    this.handoff = new Handoff(this);
    this.survey = new SessionSurvey(this);
    const { state, lease } = this;
    this.idle = new IdleMonitor({ context, state, lease, expireIfIdle: () => this.expireIfIdle() });
    this.sync = new RemoteSessionSync(context, row, (endedAtMs) => {
      this.idle.stop();
      if (!this.isOwned) state.applyPatch({ endedAtMs });
    });
    this.commands = new SessionCommands(this);
    if (!this.isOver) this.idle.start();
  }

  get row(): StoredSession {
    return this.state.row;
  }

  get id(): string {
    return this.row.id;
  }

  get connector(): MessagingConnector {
    return this.state.connector;
  }

  get hasAgentJoined(): boolean {
    return this.state.hasAgentJoined;
  }

  get hasUserMessage(): boolean {
    return this.state.history.hasUserMessage;
  }

  /** The epoch under which this node writes the session; `null` while it does not, or is still acquiring it. */
  get epoch(): number | null {
    return this.#isAcquiring ? null : this.lease.epoch;
  }

  /** Whether this node writes the session's log, or is acquiring it. */
  get isOwned(): boolean {
    return this.#isAcquiring || this.lease.epoch !== null;
  }

  get isOver(): boolean {
    return this.state.isOver;
  }

  get hasConversation(): boolean {
    return this.row.conversationStatus === 'running';
  }

  get lastActivityMs(): number {
    return this.idle.lastMs;
  }

  /** The other node that owns the session, to this node's knowledge. */
  get owner(): string | null {
    return this.lease.owner;
  }

  /** The latest state for a new connection, sent after its replay (5.5). */
  get stateEvents(): readonly OutgoingEvent[] {
    const status = this.handoff.queueStatus;
    if (status === null) return [];
    return [transientEvent(this.context.clock.now(), 'EVENT_TYPE_HANDOFF_QUEUE_STATUS', status)];
  }

  get isOpen(): boolean {
    return !this.isOver && !this.isReleased;
  }

  /** Whether a turn, a handoff or a survey needs this node. Pending external events do not, because they are stored. */
  get isBusy(): boolean {
    const isWorking = !this.turns.isIdle || this.handoff.isActive || this.survey.open !== null;
    return isWorking || this.#isAcquiring || this.#isLeftOpen;
  }

  /**
   * Whether a failure here stopped this node from writing the session although it is the stored owner, so that no other
   * node resumes the running work.
   */
  get isLeftOpen(): boolean {
    return this.#isLeftOpen && this.isOpen;
  }

  /** Records a valid client event, even if it is dropped afterwards (section 16). */
  noteActivity(): void {
    if (this.isOver) this.idle.learn(this.context.clock.now());
    else this.idle.note();
  }

  /** Applies a row that a handshake has read. */
  applyRow(row: StoredSession): void {
    if (this.isOwned || this.isOver) return;
    this.state.applyPatch({ ...row, vocabulary: row.vocabulary ?? this.row.vocabulary });
    this.lease.owner = row.ownerNode;
    this.idle.learn(row.lastActivityMs);
  }

  /** Applies a fresh database read of a session owned by another node, and sends missed events to local connections. */
  async applyRemoteStatus(status: SessionStatusRow): Promise<void> {
    if (this.isOwned) return;
    this.lease.owner = status.owner;
    this.idle.learn(status.lastActivityMs);
    await this.sync.catchUp(status);
  }

  /** Stores the vocabulary for the next connection, unless it is that connection's default. Source: V-5 (c, d). */
  rememberVocabulary(vocabulary: Vocabulary): void {
    if ((this.row.vocabulary ?? 'neutral') === vocabulary) return;
    this.state.applyPatch({ vocabulary });
    setVocabulary(this.context.database, this.id, vocabulary).catch((error: unknown) =>
      this.report('store the vocabulary', error),
    );
  }

  /** Replaces the verified context (VCI-8), starting with the next turn. */
  setContextVault(contextVault: NonNullable<StoredSession['contextVault']>): void {
    this.state.applyPatch({ contextVault });
  }

  historyBefore(sequence: number): readonly AgentHistoryEntry[] {
    return this.state.history.entriesBefore(sequence);
  }

  append(drafts: readonly ClientEventDraft[], effects?: AppendEffects): Promise<AppendOutcome> {
    return this.appender.append(drafts, effects);
  }

  notify(type: KnownEventType, payload: Readonly<Record<string, unknown>> = {}): void {
    const { bus, clock } = this.context;
    if (this.state.isEnding) return;
    bus.publish(this.row.id, { kind: 'events', events: [transientEvent(clock.now(), type, payload)] });
  }

  runExclusive<T>(task: () => Promise<T>): Promise<T> {
    return this.queue.run(task);
  }

  endNaturally(drafts: readonly EventDraft[], effects?: AppendEffects): Promise<void> {
    return endConversation(this, 'REASON_NATURAL_END', drafts, effects);
  }

  startHandoff(action: HandoffAction, answer: readonly EventDraft[], effects: AppendEffects): Promise<void> {
    return this.handoff.begin(action, answer, effects);
  }

  takeWaitingMessages(): readonly WaitingTurn[] {
    return this.turns.takeMessages();
  }

  async readInput(turn: WaitingTurn): Promise<WaitingTurn> {
    if (turn.isInLog !== true) return turn;
    return await readInput(this.context.log, this.row.id, turn);
  }

  resumeAgent(): void {
    this.turns.startNext();
  }

  discard(error: unknown): void {
    if (this.epoch === null) return;
    this.report('write to a session', error);
    this.releaseOwnership('reloading the session');
    // Another node owns it: its events still arrive, and missed ones are read from the log.
    if (isSessionLoss(error)) return;
    this.#isLeftOpen = true;
    const { bus, clock } = this.context;
    const code = closeCodeOf(error);
    if (code === CLOSE_CODES.internalError)
      bus.publish(this.row.id, { kind: 'events', events: [sessionUnavailable(clock.now(), null)] });
    bus.publish(this.row.id, { kind: 'close', code, reason: '' });
  }

  report(what: string, error: unknown): void {
    this.context.observer.failed(what, error, { sessionId: this.row.id });
  }

  /**
   * Acquires the session unless this node owns it, and resumes an earlier owner's unfinished work. This is the only
   * ownership check besides the epoch check of each insert. Rejects with a `SessionLossError`.
   */
  async ensureOwner(options: AcquireOptions = {}): Promise<void> {
    if (this.lease.epoch !== null) return;
    const { database, log, limits } = this.context;
    this.#isAcquiring = true;
    try {
      const row = await this.lease.acquire(options);
      const loaded = await readSession(database, log, row, limits);
      this.state.load(row, loaded);
      await endInterruptedTurns(this, loaded);
      // Released during the load: nothing may start any more.
      if (this.lease.epoch === null) throw new SessionLossError('stale_owner');
      this.#isAcquiring = false;
      this.#isLeftOpen = false;
      this.context.observer.happened(row.id, { kind: 'acquired', epoch: row.ownerEpoch });
      this.sync.setRemote(false);
      this.idle.learn(row.lastActivityMs);
      this.#catchUp(row);
      this.#resume(loaded);
    } catch (error) {
      this.#isLeftOpen = !isSessionLoss(error);
      this.sync.setRemote(true);
      this.lease.release();
      throw error;
    } finally {
      this.#isAcquiring = false;
    }
  }

  /** Stops the owner's work. The next command acquires the session again. */
  releaseOwnership(reason: string): void {
    if (this.epoch !== null) this.context.observer.happened(this.row.id, { kind: 'released', why: reason });
    this.turns.abort(reason);
    this.handoff.close('shutdown');
    this.turns.waits.clear();
    this.survey.stop();
    this.state.isEnding = false;
    this.sync.setRemote(true);
    this.lease.release();
  }

  /**
   * Ends the session as abandoned if the user was idle too long on every node. Rejects with a `SessionLossError` when
   * another node owns it. Source: HB-4.
   */
  async expireIfIdle(): Promise<void> {
    await this.queue.run(async () => {
      const { inactivityMs } = this.context.limits;
      if (!this.isOpen || this.idle.idleMs < inactivityMs) return;
      // Acquiring the session also reads its row.
      if (this.isOwned) await this.idle.refresh();
      else await this.ensureOwner();
      if (this.idle.idleMs >= inactivityMs) await this.#expire();
    });
  }

  /** Queues turns for external events that arrived or timed out. Acquires the session first if necessary. */
  async readExternalEvents(): Promise<void> {
    await this.queue.run(async () => {
      if (!this.isOpen) return;
      // Acquiring the session also reads them.
      if (this.isOwned) await this.turns.readExternalEvents();
      else await this.ensureOwner();
    });
  }

  /**
   * Acquires the session if it has no owner, and resumes its unfinished turns. Rejects with a `SessionLossError` when
   * another node owns it.
   */
  async recover(options: AcquireOptions = {}): Promise<void> {
    await this.queue.run(async () => {
      if (this.isOpen) await this.ensureOwner(options);
    });
  }

  /** Ends the session as abandoned now. */
  async expire(): Promise<void> {
    await this.queue.run(async () => {
      if (!this.isOver) await this.#expire();
    });
  }

  /** Starts no more turns and resolves when none runs. Waiting turns stay stored for the next owner. */
  async finishTurns(): Promise<void> {
    const { turns } = this;
    turns.pause();
    await this.queue.idle();
    await turns.idle();
    await this.queue.idle();
  }

  /**
   * Another node has taken the session, or may take it. Connections stay open: the owner's events arrive over the bus,
   * and the next command acquires the session again.
   */
  loseOwnership(): void {
    if (this.epoch !== null) this.releaseOwnership('another node owns the session');
  }

  /**
   * Releases the session for good: stops its timers and turns, and resolves once no write is in flight. Another object
   * or node can then load it from its log.
   */
  async release(): Promise<void> {
    this.isReleased = true;
    this.idle.stop();
    this.sync.stop();
    this.releaseOwnership('released');
    await this.queue.idle();
    await this.turns.idle();
    this.lease.release();
  }

  /** Releases an erased session for good, and notifies the human desk of its end. */
  async erase(): Promise<void> {
    this.handoff.close('user_ended');
    await this.release();
  }

  /** Ends the session as abandoned; a session that only awaits its survey ends with its original reason. */
  async #expire(): Promise<void> {
    await this.ensureOwner();
    await endSession(this, this.survey.open?.reason ?? 'REASON_USER_ABANDONED', []);
  }

  /** Sends this node's connections the events that an earlier owner has written. */
  #catchUp(row: StoredSession): void {
    this.sync.catchUp(row).catch((error: unknown) => this.report('read the events of another node', error));
  }

  #resume({ survey, waiting, external }: LoadedSession): void {
    if (survey !== null) {
      this.survey.begin(survey, () => endSession(this, survey.reason, []));
      return;
    }
    const { state } = this.row;
    if (state === 'handoff' || state === 'live') this.handoff.resume(state);
    this.turns.resume(waiting, external);
  }
}
