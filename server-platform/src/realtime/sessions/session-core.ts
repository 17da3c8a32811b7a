import { CLOSE_CODES, type KnownEventType } from 'natter/protocol';
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
import type { AppendEffects, StoredSession } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { isSessionLoss, SessionLossError } from '../session-loss.ts';
import { TurnQueue } from '../turns/turn-queue.ts';
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
 * The parts of one session and what holds them together: the queue, the state in memory, the lease, and what runs while
 * this node owns the session. Its turns and its hand-off use it as their {@link SessionPort}; `Session` is its outside.
 */
export class SessionCore implements SessionPort {
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
  /** This node has released the session for good. */
  isReleased = false;
  #isAcquiring = false;
  #isLeftOpen = false;

  constructor(context: MessagingContext, row: StoredSession, connector: MessagingConnector) {
    this.context = context;
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
  }

  get row(): StoredSession {
    return this.state.row;
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

  /** Whether this node writes the session's log, or is about to. */
  get isOwned(): boolean {
    return this.#isAcquiring || this.lease.epoch !== null;
  }

  get isOpen(): boolean {
    return !this.state.isOver && !this.isReleased;
  }

  /** Whether a turn, a hand-off or a survey needs this node. External events that the agent waits for are stored. */
  get isBusy(): boolean {
    const isWorking = !this.turns.isIdle || this.handoff.isActive || this.survey.open !== null;
    return isWorking || this.#isAcquiring || this.#isLeftOpen;
  }

  /**
   * Whether something failed here after which this node does not write the session, although it is the stored owner
   * : no other node resumes the running work.
   */
  get isLeftOpen(): boolean {
    return this.#isLeftOpen && this.isOpen;
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
    this.releaseOwnership('the session is read again');
    // Owned by another node: its events still arrive, and missing ones are read from the log.
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
   * Acquires the session unless this node owns it, and resumes what an earlier owner left unfinished. The one check of
   * the ownership; the epoch check of each insert does the rest. Rejects with a
   * `SessionLossError`.
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
      // Released meanwhile: nothing may start any more.
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

  /** Stops what only the owner does. The next command acquires the session again. */
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
   * Ends the session as abandoned if the user was idle for too long on every node. Rejects with a `SessionLossError` when
   * another node owns it. Source: HB-4.
   */
  async expireIfIdle(): Promise<void> {
    await this.queue.run(async () => {
      const { inactivityMs } = this.context.limits;
      if (!this.isOpen || this.idle.idleMs < inactivityMs) return;
      // Acquiring the session reads its row as well.
      if (this.isOwned) await this.idle.refresh();
      else await this.ensureOwner();
      if (this.idle.idleMs >= inactivityMs) await this.expire();
    });
  }

  /** Ends the session as abandoned; one that only waits for the answer to its survey ends for the reason that it had. */
  async expire(): Promise<void> {
    await this.ensureOwner();
    await endSession(this, this.survey.open?.reason ?? 'REASON_USER_ABANDONED', []);
  }

  /** Sends the connections of this node the events that an earlier owner has written. */
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
