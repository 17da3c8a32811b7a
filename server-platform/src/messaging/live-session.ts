import { CLOSE_CODES, type ClientEvent, type OutgoingEvent, type Vocabulary } from 'natter/protocol';
import type { Agent, AgentExternalEvent } from '../agents/index.ts';
import { type AppendEffects, type Session, type SessionPatch, setVocabulary } from '../db/index.ts';
import { agentJoined } from './agent-joined.ts';
import type { MessagingConnector } from './connector.ts';
import { ExternalWaits } from './external-waits.ts';
import { HandoffFlow, type HandoffHost } from './handoff-flow.ts';
import type { LoadedSession } from './load-session.ts';
import { createMailbox } from './mailbox.ts';
import { transientEvent } from './outgoing.ts';
import { SessionExpiry } from './session-expiry.ts';
import { SessionHold } from './session-hold.ts';
import { SessionIntake } from './session-intake.ts';
import type { SessionServices } from './session-services.ts';
import { type ClientEventDraft, isSessionLoss, SessionLossError } from './session-writer.ts';
import type { FrameSender, SessionInput } from './socket-connection.ts';
import { type TurnHost, TurnQueue } from './turn-queue.ts';

type EndReason = 'REASON_USER_END' | 'REASON_NATURAL_END' | 'REASON_USER_ABANDONED';

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
  readonly #intake: SessionIntake;
  #connector: MessagingConnector;
  #lastActivityMs: number;
  #isEnding = false;
  #isReleased = false;
  readonly #expiry: SessionExpiry;

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
    this.#lastActivityMs = facts.lastActivityMs;
    this.#hold = new SessionHold(services, facts, {
      onClaimed: (loaded, epoch) => this.#onClaimed(loaded, epoch),
      onDoubt: (error) => this.#lose(error),
    });
    this.#turns = new TurnQueue(this.#turnHost());
    this.#handoff = new HandoffFlow(this.#handoffHost());
    this.#waits = new ExternalWaits(clock, (event) => this.#turns.add({ kind: 'event', event }));
    this.#intake = new SessionIntake({
      services,
      hold: this.#hold,
      turns: this.#turns,
      handoff: this.#handoff,
      useConnector: (current) => {
        this.#connector = current;
      },
      endByUser: (echo) => this.#end('REASON_USER_END', [echo]),
    });
    this.#expiry = new SessionExpiry({
      clock,
      inactivityMs: services.limits.inactivityMs,
      hasWarning: () => this.#connector.hasIdleWarning,
      lastActivityMs: () => this.#lastActivityMs,
      warn: (payload) =>
        services.bus.publish(this.id, {
          kind: 'events',
          events: [transientEvent(clock.now(), 'EVENT_TYPE_SESSION_IDLE_WARNING', payload)],
        }),
      expire: () => this.expireIfIdle(),
      // The registry looks for idle sessions as well, and tries again.
      onFailure: (error) => services.observer.failed('expire a session', error, { sessionId: this.id }),
    });
    if (!this.isOver) this.#expiry.start();
  }

  get id(): string {
    return this.#hold.facts.id;
  }

  get identity(): string {
    return this.#hold.facts.identity;
  }

  get facts(): Session {
    return this.#hold.facts;
  }

  get isOver(): boolean {
    return this.#isEnding || this.facts.endedAtMs !== null;
  }

  get lastActivityMs(): number {
    return this.#lastActivityMs;
  }

  /** Whether this node writes the session's log. */
  get isOwned(): boolean {
    return this.#hold.isOwned || this.#hold.isClaiming;
  }

  /** Whether something goes on that needs this node: a turn, a hand-off, a wait. */
  get isBusy(): boolean {
    return this.#hold.isClaiming || !this.#turns.isIdle || this.#handoff.isActive || this.#waits.isWaiting;
  }

  /** What a new socket is sent after its replay (5.5). */
  get stickyEvents(): readonly OutgoingEvent[] {
    const status = this.#handoff.queueStatus;
    if (status === null) return [];
    return [transientEvent(this.#services.clock.now(), 'EVENT_TYPE_HANDOFF_QUEUE_STATUS', status)];
  }

  noteActivity(): void {
    const nowMs = this.#services.clock.now();
    this.#lastActivityMs = Math.max(this.#lastActivityMs, nowMs);
    if (!this.isOver) this.#services.activity.touch(this.id, nowMs);
  }

  rememberVocabulary(vocabulary: Vocabulary): void {
    if (this.facts.vocabulary === vocabulary) return;
    this.#hold.apply({ vocabulary });
    setVocabulary(this.#services.database, this.id, vocabulary).catch((error: unknown) =>
      this.#services.observer.failed('remember the vocabulary', error, { sessionId: this.id }),
    );
  }

  /** The verified facts about the user were replaced (VCI-8); turns from the next one on see them. */
  setContextVault(contextVault: NonNullable<Session['contextVault']>): void {
    this.#hold.apply({ contextVault });
  }

  /** What comes after a release is not acknowledged, and sent again to whoever has the session next. */
  async accept(event: ClientEvent, sender: FrameSender): Promise<void> {
    const isAdmitted = this.#intake.admit(event);
    try {
      await this.#mailbox.run(async () => {
        if (!this.isOver && !this.#isReleased) await this.#intake.take(event, sender, isAdmitted);
      });
    } catch (error) {
      this.#intake.answerFailure(error, event, sender);
    }
  }

  /** An external event for this conversation has come (`rest.md`, EE). */
  receiveExternalEvent(event: AgentExternalEvent): void {
    this.#waits.receive(event);
  }

  /** Claims the session if nobody has it, and carries on with what was left unfinished. */
  async recover(): Promise<void> {
    await this.#mailbox.run(async () => {
      if (!this.isOver && !this.#isReleased) await this.#hold.writer();
    });
  }

  /** Ends the session as abandoned if it is time, whatever this node thought before. Source: HB-4. */
  async expireIfIdle(): Promise<void> {
    await this.#mailbox.run(async () => {
      const { inactivityMs } = this.#services.limits;
      if (this.isOver || this.#isReleased || this.#idleMs() < inactivityMs) return;
      await this.#hold.writer();
      // Claiming reads the session again: another node may have heard from the user meanwhile.
      if (this.#idleMs() >= inactivityMs) await this.#end('REASON_USER_ABANDONED', []);
    });
  }

  /** Ends the session as abandoned now. */
  async expire(): Promise<void> {
    await this.#mailbox.run(async () => {
      if (!this.isOver) await this.#end('REASON_USER_ABANDONED', []);
    });
  }

  /** Begins no more turns and resolves when none runs; what waits stays on record for the next owner. */
  async finishTurns(): Promise<void> {
    this.#turns.isHeld = true;
    await this.#mailbox.idle();
    await this.#turns.idle();
    await this.#mailbox.idle();
  }

  /** Another node has taken the session over. */
  loseLease(): void {
    this.#lose(new SessionLossError('stale_owner'));
  }

  /**
   * Lets go for good: stops what runs, and resolves when nothing is being written any more. The session can be taken up
   * again from its log, by another object or process.
   */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#expiry.stop();
    this.#forget('released');
    await this.#mailbox.idle();
    await this.#turns.idle();
    this.#hold.release();
  }

  #onClaimed(loaded: LoadedSession, epoch: number): void {
    this.#lastActivityMs = Math.max(this.#lastActivityMs, this.facts.lastActivityMs);
    this.#events.onOwned(this, epoch);
    this.#turns.hasAgentJoined = loaded.hasAgentJoined;
    const { state, handoff } = this.facts;
    if (state === 'handoff' || state === 'live') this.#handoff.resume(this.id, state, handoff);
    for (const turn of loaded.waiting) this.#turns.add(turn);
  }

  /** Forgets what may be wrong. Sockets come back and read the log; the next input claims the session again. */
  #lose(error: unknown): void {
    if (!this.#hold.isOwned) return;
    this.#services.observer.failed('write to a session', error, { sessionId: this.id });
    this.#forget('the session is read again');
    // Owned by another node: its events still arrive, and what is missing is read from the log.
    if (isSessionLoss(error)) return;
    this.#services.bus.publish(this.id, { kind: 'close', code: CLOSE_CODES.internalError, reason: '' });
  }

  #forget(reason: string): void {
    this.#turns.abort(reason);
    this.#handoff.close('shutdown');
    this.#waits.clear();
    this.#isEnding = false;
    this.#hold.release();
    this.#events.onReleased(this);
  }

  /** Writes SESSION_END, after what comes before it in the same commit. Nothing follows (8.9). */
  async #end(
    reason: EndReason,
    drafts: readonly ClientEventDraft[],
    effects: AppendEffects = {},
  ): Promise<void> {
    const { clock, observer } = this.#services;
    const writer = await this.#hold.writer();
    this.#isEnding = true;
    writer.seal();
    this.#turns.abort('the session ended');
    const state = reason === 'REASON_USER_ABANDONED' ? 'expired' : 'ended';
    const session: SessionPatch = { ...effects.session, state, endedAtMs: clock.now() };
    const all = [...drafts, { type: 'EVENT_TYPE_SESSION_END' as const, payload: { reason } }];
    await writer.append(all, { ...effects, session }, { isSealing: true });
    this.#hold.apply(session);
    this.#handoff.close(state === 'expired' ? 'expired' : 'user_ended');
    this.#waits.clear();
    this.#expiry.stop();
    this.#hold.release();
    this.#events.onReleased(this);
    observer.sessionEnded(reason);
  }

  #idleMs(): number {
    return this.#services.clock.now() - this.#lastActivityMs;
  }

  #agent(): Agent | null {
    return this.#services.agentFor(this.#connector);
  }

  #turnHost(): TurnHost {
    const session = this;
    return {
      services: this.#services,
      get facts() {
        return session.facts;
      },
      get language() {
        return session.facts.language ?? session.#connector.language;
      },
      get externalEvents() {
        return session.#waits.received;
      },
      get isHandedOff() {
        return session.#handoff.isActive;
      },
      history: () => this.#hold.history,
      agent: () => this.#agent(),
      writer: () => this.#hold.writer(),
      inOrder: (work) => this.#mailbox.run(work),
      apply: (patch) => this.#hold.apply(patch),
      beginHandoff: (action, answer, effects) => {
        const buildRequest = () => ({
          sessionId: this.id,
          conversationId: this.facts.conversationId ?? '',
          connectorId: this.#connector.id,
          projectId: this.#connector.projectId,
          destination: action.destination,
          reason: action.reason,
          queueName: action.queueName ?? null,
          data: action.data ?? {},
          history: this.#hold.history.entriesBefore(Number.POSITIVE_INFINITY),
        });
        return this.#handoff.begin(action, buildRequest, answer, effects);
      },
      endNaturally: (drafts, effects) => this.#end('REASON_NATURAL_END', drafts, effects),
      waitFor: (waits) => {
        for (const wait of waits) this.#waits.add(wait);
      },
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
      agentJoined: () => agentJoined(this.#agent()),
      endNaturally: (drafts, effects) => this.#end('REASON_NATURAL_END', drafts, effects),
      apply: (patch) => this.#hold.apply(patch),
      resumeAgent: () => {
        this.#turns.hasAgentJoined = this.facts.state === 'active';
        this.#turns.pump();
      },
      handOver: () => this.#handOver(),
      onFailure: (what, error) => this.#services.observer.failed(what, error, { sessionId: this.id }),
    };
  }

  /** Messages that were written while the hand-off opened go to the person; the agent never answers them. */
  async #handOver(): Promise<void> {
    const writer = await this.#hold.writer();
    for (const { id, messageId, text } of this.#turns.takeMessages()) {
      const turn = { id, state: 'done' as const, finishedAtMs: this.#services.clock.now() };
      await writer.append([], { turn });
      this.#handoff.forward({ messageId: messageId ?? '', text });
    }
  }
}
