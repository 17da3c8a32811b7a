import { randomUUID } from 'node:crypto';
import {
  CLOSE_CODES,
  type ClientEvent,
  clientEventIdOf,
  type OutgoingEvent,
  SYSTEM_TEXTS,
  type Vocabulary,
} from 'natter/protocol';
import type { Agent, AgentExternalEvent } from '../agents/index.ts';
import {
  type AppendEffects,
  isDatabaseError,
  type Session,
  type SessionPatch,
  setVocabulary,
} from '../db/index.ts';
import { agentJoined } from './agent-joined.ts';
import type { MessagingConnector } from './connector.ts';
import { createConversationId } from './conversation-id.ts';
import { ExternalWaits } from './external-waits.ts';
import { HandoffFlow, type HandoffHost } from './handoff-flow.ts';
import type { LoadedSession } from './load-session.ts';
import { createMailbox } from './mailbox.ts';
import { createMessageId, transientEvent, transientSystemMessage } from './outgoing.ts';
import { SessionHold } from './session-hold.ts';
import type { SessionServices } from './session-services.ts';
import { type ClientEventDraft, isSessionLoss, SessionLossError } from './session-writer.ts';
import type { FrameSender, SessionInput } from './socket-connection.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';
import { type TurnHost, TurnQueue } from './turn-queue.ts';

type AcceptedEvent<Type extends ClientEvent['type']> = Extract<ClientEvent, { readonly type: Type }>;
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
  readonly #frames: TokenBucket;
  #connector: MessagingConnector;
  #lastActivityMs: number;
  #rateWarnedAtMs = Number.NEGATIVE_INFINITY;
  #isEnding = false;
  #cancelExpiry: () => void = () => {};

  constructor(
    services: SessionServices,
    facts: Session,
    connector: MessagingConnector,
    events: LiveSessionEvents,
  ) {
    const { limits, clock } = services;
    this.#services = services;
    this.#events = events;
    this.#connector = connector;
    this.#lastActivityMs = facts.lastActivityMs;
    this.#hold = new SessionHold(services, facts, {
      onClaimed: (loaded, epoch) => this.#onClaimed(loaded, epoch),
      onDoubt: (error) => this.#lose(error),
    });
    this.#frames = createTokenBucket({
      capacity: limits.frameBurst,
      refillPerSecond: limits.framesPerSecond,
    });
    this.#turns = new TurnQueue(this.#turnHost());
    this.#handoff = new HandoffFlow(this.#handoffHost());
    this.#waits = new ExternalWaits(clock, (event) => this.#turns.add({ kind: 'event', event }));
    if (!this.isOver) this.#scheduleExpiry();
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

  /** Whether something goes on that needs this node: a turn, a hand-off, a wait. */
  get isBusy(): boolean {
    return this.#hold.isClaiming || !this.#turns.isIdle || this.#handoff.isActive || this.#waits.isWaiting;
  }

  /** What a new socket is sent after its replay (5.5). */
  get stickyEvents(): readonly OutgoingEvent[] {
    const status = this.#handoff.queueStatus;
    return status === null
      ? []
      : [transientEvent(this.#services.clock.now(), 'EVENT_TYPE_HANDOFF_QUEUE_STATUS', status)];
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
      this.#services.observer.failed('remember the vocabulary', error, this.id),
    );
  }

  /** The verified facts about the user were replaced (VCI-8); turns from the next one on see them. */
  setContextVault(contextVault: NonNullable<Session['contextVault']>): void {
    this.#hold.apply({ contextVault });
  }

  async accept(event: ClientEvent, sender: FrameSender): Promise<void> {
    try {
      await this.#mailbox.run(() => this.#handle(event, sender));
    } catch (error) {
      this.#answerFailure(error, event, sender);
    }
  }

  /** An external event for this conversation has come (`rest.md`, EE). */
  receiveExternalEvent(event: AgentExternalEvent): void {
    this.#waits.receive(event);
  }

  /** Claims the session if nobody has it, and carries on with what was left unfinished. */
  async recover(): Promise<void> {
    await this.#mailbox.run(async () => {
      if (!this.isOver) await this.#hold.writer();
    });
  }

  /** Ends the session as abandoned if it is time, whatever this node thought before. Source: HB-4. */
  async expireIfIdle(): Promise<void> {
    await this.#mailbox.run(async () => {
      const { inactivityMs } = this.#services.limits;
      if (this.isOver || this.#idleMs() < inactivityMs) return;
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

  /** Lets go: stops what runs, without writing anything. The session can be taken up again from its log. */
  release(): void {
    this.#cancelExpiry();
    this.#forget('released');
  }

  async #handle(event: ClientEvent, sender: FrameSender): Promise<void> {
    if (this.isOver) return;
    switch (event.type) {
      case 'EVENT_TYPE_USER_MESSAGE':
        await this.#acceptMessage(event, sender);
        break;
      case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
        await this.#acceptJoin(event, sender);
        break;
      case 'EVENT_TYPE_USER_TYPING':
        if (this.#mayPass(event, sender)) this.#handoff.forwardTyping(event.payload.state);
        break;
      case 'EVENT_TYPE_USER_END_SESSION':
        if (!this.#mayPass(event, sender)) break;
        await this.#end('REASON_USER_END', [{ type: event.type, payload: {}, custom: event.custom }]);
        break;
      case 'EVENT_TYPE_HEARTBEAT':
        break;
    }
  }

  /** Source: 6.2, SYS-2, ECH-4. */
  async #acceptMessage(event: AcceptedEvent<'EVENT_TYPE_USER_MESSAGE'>, sender: FrameSender): Promise<void> {
    const writer = await this.#hold.writer();
    const refusal = this.#whyNoConversation();
    if (refusal !== null) {
      this.#refuse(refusal, event, sender);
      return;
    }
    if (!this.#mayPass(event, sender)) return;
    if (this.#turns.waitingCount >= this.#services.limits.maxWaitingTurns) {
      this.#refuse(SYSTEM_TEXTS.overloaded, event, sender);
      return;
    }
    const messageId = createMessageId();
    const { text } = event.payload;
    const { recipient } = this.#handoff;
    const needsTurn = recipient === 'agent' || recipient === 'held';
    const draft: ClientEventDraft = {
      type: event.type,
      payload: { text, message_id: messageId },
      custom: event.custom,
      clientEventId: clientEventIdOf(event.custom),
    };
    const written = await writer.append([draft], needsTurn ? { queueTurn: { id: randomUUID() } } : undefined);
    if (written.status === 'repeated') {
      sender.deliver(written.original);
      return;
    }
    if (recipient === 'person') this.#handoff.forward({ messageId, text });
    const queuedAtMs = this.#services.clock.now();
    if (written.turn) this.#turns.add({ ...written.turn, kind: 'message', text, messageId, queuedAtMs });
  }

  /** Source: 6.1, JOIN-3. */
  async #acceptJoin(
    event: AcceptedEvent<'EVENT_TYPE_REQUEST_AGENT_JOIN'>,
    sender: FrameSender,
  ): Promise<void> {
    const writer = await this.#hold.writer();
    const connector = await this.#services.connectors.findById(this.facts.connectorId);
    if (connector === null) {
      this.#refuse(SYSTEM_TEXTS.connectorNotFound, event, sender);
      return;
    }
    this.#connector = connector;
    if (!this.#mayPass(event, sender)) return;
    const echo = { type: event.type, payload: {}, custom: event.custom };
    if (this.facts.conversationStatus === 'running') {
      await writer.append([echo]);
      return;
    }
    const nowMs = this.#services.clock.now();
    const session: SessionPatch = {
      conversationStatus: 'running',
      conversationId: this.facts.conversationId ?? createConversationId(nowMs),
    };
    const written = await writer.append([echo], { session, queueTurn: { id: randomUUID() } });
    this.#hold.apply(session);
    if (written.status === 'repeated' || written.turn === null) return;
    this.#turns.add({ ...written.turn, kind: 'greeting', text: '', messageId: null, queuedAtMs: nowMs });
  }

  /** Source: 12.1. Null: there is a conversation. */
  #whyNoConversation(): string | null {
    if (this.facts.conversationStatus === 'none') return SYSTEM_TEXTS.conversationNotStarted;
    if (this.facts.conversationStatus === 'lost') return SYSTEM_TEXTS.conversationNotFound;
    return null;
  }

  /** Source: section 16; 5.6 row 9. */
  #mayPass(event: ClientEvent, sender: FrameSender): boolean {
    const { clock, limits, observer } = this.#services;
    const nowMs = clock.now();
    if (this.#frames.take(nowMs)) return true;
    observer.frameReceived('rate_limited');
    if (nowMs - this.#rateWarnedAtMs >= limits.rateWarningIntervalMs) {
      this.#rateWarnedAtMs = nowMs;
      sender.deliver(
        transientSystemMessage(nowMs, 'SYSTEM_MESSAGE_LEVEL_WARNING', SYSTEM_TEXTS.rateLimited, event.custom),
      );
    }
    return false;
  }

  #refuse(text: string, event: ClientEvent, sender: FrameSender): void {
    const nowMs = this.#services.clock.now();
    sender.deliver(transientSystemMessage(nowMs, 'SYSTEM_MESSAGE_LEVEL_ERROR', text, event.custom));
  }

  #answerFailure(error: unknown, event: ClientEvent, sender: FrameSender): void {
    if (isSessionLoss(error)) {
      // Over: the frame is ignored like any other after the end. Owned elsewhere: the client may try again.
      if (error.code === 'stale_owner') this.#refuse(SYSTEM_TEXTS.sessionUnavailable, event, sender);
      return;
    }
    this.#services.observer.failed('accept a client event', error, this.id);
    // Not acknowledged, so the client sends it again when it is back; the log then knows whether it was stored.
    const isOverload = isDatabaseError(error) && error.code === 'overloaded';
    sender.close(isOverload ? CLOSE_CODES.overload : CLOSE_CODES.internalError, '');
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
    this.#services.observer.failed('write to a session', error, this.id);
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
    this.#cancelExpiry();
    this.#hold.release();
    this.#events.onReleased(this);
    observer.sessionEnded(reason);
  }

  #idleMs(): number {
    return this.#services.clock.now() - this.#lastActivityMs;
  }

  #scheduleExpiry(): void {
    const { clock, limits, observer } = this.#services;
    this.#cancelExpiry = clock.setTimer(
      () => {
        if (this.isOver) return;
        if (this.#idleMs() < limits.inactivityMs) {
          this.#scheduleExpiry();
          return;
        }
        this.expireIfIdle().then(
          () => {
            if (!this.isOver) this.#scheduleExpiry();
          },
          // The registry looks for idle sessions as well, and tries again.
          (error: unknown) => observer.failed('expire a session', error, this.id),
        );
      },
      Math.max(limits.inactivityMs - this.#idleMs(), 0),
    );
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
      onFailure: (what, error) => this.#services.observer.failed(what, error, this.id),
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
