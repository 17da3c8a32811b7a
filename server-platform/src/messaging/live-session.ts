import type { ClientEvent, CustomMap, OutgoingEvent, Vocabulary } from 'natter/protocol';
import { type Session, type SessionSight, setVocabulary } from '../db/index.ts';
import { agentJoined } from './agent-joined.ts';
import type { MessagingConnector } from './connector.ts';
import { ExternalWaits } from './external-waits.ts';
import { HandoffFlow, type HandoffHost } from './handoff-flow.ts';
import { createHandoffRequest } from './handoff-request.ts';
import type { LoadedSession } from './load-session.ts';
import { createMailbox } from './mailbox.ts';
import { transientEvent } from './outgoing.ts';
import { SessionActivity } from './session-activity.ts';
import { SessionEnding } from './session-ending.ts';
import { SessionFollower } from './session-follower.ts';
import { type ClaimOptions, SessionHold } from './session-hold.ts';
import { SessionIntake } from './session-intake.ts';
import { recordReturn } from './session-record.ts';
import { type ForwardedInput, type InputResult, SessionRelay } from './session-relay.ts';
import type { SessionServices } from './session-services.ts';
import { SessionSurvey } from './session-survey.ts';
import { closeCodeOf, isSessionLoss } from './session-writer.ts';
import { missingAgentOf } from './setup-watch.ts';
import type { FrameSender, SessionInput } from './socket-connection.ts';
import { type TurnHost, TurnQueue } from './turn-queue.ts';

/** What the registry hears of a session. */
export interface LiveSessionEvents {
  readonly onOwned: (session: LiveSession, epoch: number) => void;
  readonly onReleased: (session: LiveSession) => void;
}

/**
 * One session on this node: takes its input in order, writes its log while this node owns it, and runs its turns.
 * Everything it knows can be read back from the log; when storing fails in a way that leaves doubt, it forgets, and the
 * next input reads the log again.
 */
export class LiveSession implements SessionInput {
  readonly #services: SessionServices;
  readonly #events: LiveSessionEvents;
  readonly #mailbox = createMailbox();
  readonly #hold: SessionHold;
  readonly #turns: TurnQueue;
  readonly #handoff: HandoffFlow;
  readonly #waits: ExternalWaits;
  readonly #survey: SessionSurvey;
  readonly #ending: SessionEnding;
  readonly #intake: SessionIntake;
  readonly #relay: SessionRelay;
  readonly #follower: SessionFollower;
  readonly #activity: SessionActivity;
  #connector: MessagingConnector;
  #isReleased = false;

  constructor(
    services: SessionServices,
    facts: Session,
    connector: MessagingConnector,
    events: LiveSessionEvents,
  ) {
    const { clock } = services;
    this.#services = services;
    this.#events = events;
    this.#connector = connector;
    this.#hold = new SessionHold(services, facts, {
      onClaimed: (loaded, epoch) => this.#onClaimed(loaded, epoch),
      onDoubt: (error) => this.#lose(error),
    });
    this.#waits = new ExternalWaits({
      clock,
      database: services.database,
      owner: () => {
        const { id: sessionId, conversationId } = this.facts;
        return { sessionId, conversationId: conversationId ?? '', projectId: this.#connector.projectId };
      },
      onOver: (turn) => this.#turns.add(turn),
      onDue: () => void this.readExternalEvents().catch(this.#report('tell the agent what it waited for')),
    });
    this.#turns = new TurnQueue(this.#turnHost());
    this.#handoff = new HandoffFlow(this.#handoffHost());
    this.#survey = new SessionSurvey({
      clock,
      isOn: () => this.#connector.hasSurvey,
      hasUserMessage: () => this.#hold.history.hasUserMessage,
      conversationId: () => this.facts.conversationId,
      inOrder: (work) => this.#mailbox.run(work),
      finish: (reason, drafts, effects) => this.#ending.finish(reason, drafts, effects),
      onFailure: this.#report('end a session after its survey'),
    });
    this.#ending = new SessionEnding({
      services,
      hold: this.#hold,
      turns: this.#turns,
      handoff: this.#handoff,
      waits: this.#waits,
      survey: this.#survey,
      onEnded: () => {
        this.#activity.stop();
        events.onReleased(this);
      },
    });
    this.#intake = new SessionIntake({
      services,
      hold: this.#hold,
      turns: this.#turns,
      handoff: this.#handoff,
      useConnector: (current) => {
        this.#connector = current;
      },
      endByUser: (echo) => this.#ending.end('REASON_USER_END', [echo]),
    });
    this.#relay = new SessionRelay({
      services,
      session: this,
      hold: this.#hold,
      intake: this.#intake,
      inOrder: (work) => this.#mailbox.run(work),
      take: (event, sender, how) =>
        this.#survey.open === null ? this.#intake.take(event, sender, how) : this.#survey.take(event),
    });
    this.#follower = new SessionFollower({
      sessionId: facts.id,
      lastSequence: facts.lastSequence,
      bus: services.bus,
      log: services.log,
      onEnd: (endedAtMs) => {
        if (this.isOwned) return;
        this.#hold.apply({ endedAtMs });
        this.#activity.stop();
      },
    });
    this.#activity = new SessionActivity({
      services,
      hold: this.#hold,
      hasWarning: () => this.#connector.hasIdleWarning,
      expireIfIdle: () => this.expireIfIdle(),
      report: (what) => this.#report(what),
    });
    if (!this.isOver) this.#activity.watch();
  }

  get id(): string {
    return this.#hold.facts.id;
  }

  get facts(): Session {
    return this.#hold.facts;
  }

  get isOver(): boolean {
    return this.#ending.isBegun || this.facts.endedAtMs !== null;
  }

  /** After this node has let go of it for good. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  get hasConversation(): boolean {
    return this.facts.conversationStatus === 'running';
  }

  get lastActivityMs(): number {
    return this.#activity.lastMs;
  }

  /** Whether this node writes the session's log. */
  get isOwned(): boolean {
    return this.#hold.isOwned || this.#hold.isClaiming;
  }

  /** The other node that writes it, as far as this one knows. */
  get owner(): string | null {
    return this.#hold.owner;
  }

  /** Whether something goes on that needs this node: a turn, a hand-off. What the agent waits for is on record. */
  get isBusy(): boolean {
    const isAsking = this.#survey.open !== null;
    return this.#hold.isClaiming || !this.#turns.isIdle || this.#handoff.isActive || isAsking;
  }

  /** What a new socket is sent after its replay (5.5). */
  get stickyEvents(): readonly OutgoingEvent[] {
    const status = this.#handoff.queueStatus;
    if (status === null) return [];
    return [transientEvent(this.#services.clock.now(), 'EVENT_TYPE_HANDOFF_QUEUE_STATUS', status)];
  }

  noteActivity(): void {
    if (this.isOver) this.#activity.learn(this.#services.clock.now());
    else this.#activity.note();
  }

  /** What a handshake has read of it. */
  noteFacts(facts: Session): void {
    if (this.isOwned || this.isOver) return;
    this.#hold.apply({ ...facts, vocabulary: facts.vocabulary ?? this.facts.vocabulary });
    this.#hold.owner = facts.ownerNode;
    this.#activity.learn(facts.lastActivityMs);
  }

  /** How it stands in the database while another node may write it: its sockets here are told what they have missed. */
  async noteSight(sight: SessionSight): Promise<void> {
    if (this.isOwned) return;
    this.#hold.owner = sight.owner;
    this.#activity.learn(sight.lastActivityMs);
    await this.#follower.catchUp(sight);
  }

  rememberVocabulary(vocabulary: Vocabulary): void {
    if (this.facts.vocabulary === vocabulary) return;
    this.#hold.apply({ vocabulary });
    const { database } = this.#services;
    setVocabulary(database, this.id, vocabulary).catch(this.#report('remember the vocabulary'));
  }

  /** The verified facts about the user were replaced (VCI-8); turns from the next one on see them. */
  setContextVault(contextVault: NonNullable<Session['contextVault']>): void {
    this.#hold.apply({ contextVault });
  }

  admit(custom: CustomMap | null, sender: Pick<FrameSender, 'deliver'>): boolean {
    return this.#intake.admit(custom, sender);
  }

  accept(event: ClientEvent, sender: FrameSender): Promise<void> {
    return this.#relay.accept(event, sender);
  }

  /** Takes what a client sent to another node, if this one owns the session. */
  receive(input: ForwardedInput): Promise<InputResult> {
    return this.#relay.receive(input);
  }

  /** External events have come, or the time for them is up: claims the session if need be, and tells the agent. */
  async readExternalEvents(): Promise<void> {
    await this.#mailbox.run(async () => {
      if (this.isOver || this.#isReleased) return;
      // A claim reads them anyway.
      await (this.#hold.isOwned ? this.#waits.read() : this.#hold.writer());
    });
  }

  /**
   * Claims the session if it has no owner, and carries on with what was left unfinished. Rejects with a
   * `SessionLossError` when another node has it.
   */
  async recover(options: ClaimOptions = {}): Promise<void> {
    await this.#mailbox.run(async () => {
      if (!this.isOver && !this.#isReleased) await this.#hold.writer(options);
    });
  }

  /**
   * Ends the session as abandoned if it is time, whatever this node thought before. Rejects with a `SessionLossError`
   * when that is another node's business. Source: HB-4.
   */
  async expireIfIdle(): Promise<void> {
    await this.#mailbox.run(async () => {
      const { inactivityMs } = this.#services.limits;
      if (this.isOver || this.#isReleased || this.#activity.idleMs < inactivityMs) return;
      // Another node may have heard from the user meanwhile. Claiming reads the session again as well.
      if (this.#hold.isOwned) await this.#activity.refresh();
      await this.#hold.writer();
      if (this.#activity.idleMs >= inactivityMs) await this.#expireNow();
    });
  }

  /** Ends the session as abandoned now. */
  async expire(): Promise<void> {
    await this.#mailbox.run(async () => {
      if (!this.isOver) await this.#expireNow();
    });
  }

  /** A session whose user only had yet to say how it was ends as it was going to. */
  #expireNow(): Promise<void> {
    return this.#ending.finish(this.#survey.open?.reason ?? 'REASON_USER_ABANDONED', []);
  }

  /** Begins no more turns and resolves when none runs; what waits stays on record for the next owner. */
  async finishTurns(): Promise<void> {
    this.#turns.isHeld = true;
    await this.#mailbox.idle();
    await this.#turns.idle();
    await this.#mailbox.idle();
  }

  /**
   * Another node has taken the session, or may take it. Sockets stay: events of its owner arrive over the bus, and the
   * next input claims the session again.
   */
  loseOwnership(): void {
    if (this.#hold.isOwned) this.#forget('another node owns the session');
  }

  /**
   * Lets go for good: stops what runs, and resolves when nothing is being written any more. The session can be taken up
   * again from its log, by another object or process.
   */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#activity.stop();
    this.#follower.stop();
    this.#forget('released');
    await this.#mailbox.idle();
    await this.#turns.idle();
    this.#hold.release();
  }

  /**
   * The session was erased: lets go of it for good and tells whoever answers in a hand-off that it is over. Nothing of it
   * can be written any more.
   */
  async erase(): Promise<void> {
    this.#handoff.close('user_ended');
    await this.release();
  }

  #onClaimed(loaded: LoadedSession, claimed: Session): void {
    this.#activity.learn(claimed.lastActivityMs);
    this.#events.onOwned(this, claimed.ownerEpoch);
    this.#follower.catchUp(claimed).catch(this.#report('read what another node has written'));
    this.#turns.hasAgentJoined = loaded.hasAgentJoined;
    if (loaded.survey) {
      this.#survey.begin(loaded.survey);
      return;
    }
    const { state, handoff } = this.facts;
    if (state === 'handoff' || state === 'live') this.#handoff.resume(this.id, state, handoff);
    for (const turn of loaded.waiting) this.#turns.add(turn);
    this.#waits.take(loaded.external);
  }

  /** Forgets what may be wrong. Sockets come back and read the log; the next input claims the session again. */
  #lose(error: unknown): void {
    if (!this.#hold.isOwned) return;
    this.#report('write to a session')(error);
    this.#forget('the session is read again');
    // Owned by another node: its events still arrive, and what is missing is read from the log.
    if (isSessionLoss(error)) return;
    this.#services.bus.publish(this.id, { kind: 'close', code: closeCodeOf(error), reason: '' });
  }

  #forget(reason: string): void {
    this.#turns.abort(reason);
    this.#handoff.close('shutdown');
    this.#waits.clear();
    this.#survey.stop();
    this.#ending.isBegun = false;
    this.#hold.release();
    this.#events.onReleased(this);
  }

  /** Tells the operator of a failure. */
  #report(what: string): (error: unknown) => void {
    return (error) => this.#services.observer.failed(what, error, { sessionId: this.id });
  }

  #turnHost(): TurnHost {
    const session = this;
    return {
      services: this.#services,
      waits: this.#waits,
      get facts() {
        return session.facts;
      },
      get language() {
        return session.facts.language ?? session.#connector.language;
      },
      get isHandedOff() {
        return session.#handoff.isActive;
      },
      history: () => this.#hold.history,
      agent: () => this.#services.agentFor(this.#connector),
      agentName: missingAgentOf(this.#connector),
      writer: () => this.#hold.writer(),
      inOrder: (work) => this.#mailbox.run(work),
      apply: (patch) => this.#hold.apply(patch),
      beginHandoff: (action, answer, effects) => {
        const buildRequest = () =>
          createHandoffRequest(action, this.facts, this.#connector, this.#hold.history);
        return this.#handoff.begin(action, buildRequest, answer, effects);
      },
      endNaturally: (drafts, effects) => this.#ending.end('REASON_NATURAL_END', drafts, effects),
      lose: (error) => this.#lose(error),
    };
  }

  #handoffHost(): HandoffHost {
    const session = this;
    return {
      clock: this.#services.clock,
      providers: this.#services.handoffProviders,
      get connector() {
        return session.#connector;
      },
      writer: () => this.#hold.writer(),
      inOrder: (work) => this.#mailbox.run(work),
      agentJoined: () => agentJoined(this.#services.agentFor(this.#connector)),
      endNaturally: (drafts, effects) => this.#ending.end('REASON_NATURAL_END', drafts, effects),
      recordReturn: (record) => recordReturn(this.facts, record),
      apply: (patch) => this.#hold.apply(patch),
      resumeAgent: () => {
        this.#turns.hasAgentJoined = this.facts.state === 'active';
        this.#turns.pump();
      },
      handOver: () => this.#handOver(),
      onFailure: (what, error) => this.#report(what)(error),
    };
  }

  /** Messages that were written while the hand-off opened go to the person; the agent never answers them. */
  async #handOver(): Promise<void> {
    for (const { id, messageId, text } of this.#turns.takeMessages()) {
      const turn = { id, state: 'done' as const, finishedAtMs: this.#services.clock.now() };
      await (await this.#hold.writer()).append([], { turn });
      this.#handoff.forward({ messageId: messageId ?? '', text });
    }
  }
}
