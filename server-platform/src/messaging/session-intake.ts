import { randomUUID } from 'node:crypto';
import {
  type ClientEvent,
  type CustomMap,
  clientEventIdOf,
  type OutgoingEvent,
  SYSTEM_TEXTS,
} from 'natter/protocol';
import type { SessionPatch } from '../db/index.ts';
import type { MessagingConnector } from './connector.ts';
import { createConversationId } from './conversation-id.ts';
import type { HandoffFlow } from './handoff-flow.ts';
import { createMessageId, transientSystemMessage } from './outgoing.ts';
import type { SessionHold } from './session-hold.ts';
import { recordStart } from './session-record.ts';
import type { SessionServices } from './session-services.ts';
import { type ClientEventDraft, closeCodeOf, isSessionLoss } from './session-writer.ts';
import type { FrameSender } from './socket-connection.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';
import type { TurnQueue } from './turn-queue.ts';

type AcceptedEvent<Type extends ClientEvent['type']> = Extract<ClientEvent, { readonly type: Type }>;

/** How an event came. */
export interface TakeOptions {
  /** Whether it came within the rate limit. */
  readonly isAdmitted: boolean;
  /** Stands for the client's draft id where it gave none; null: it came straight from the client. */
  readonly draftId: string | null;
}

/** The session as its intake sees it. */
export interface IntakeHost {
  readonly services: SessionServices;
  readonly hold: SessionHold;
  readonly turns: TurnQueue;
  readonly handoff: HandoffFlow;
  /** The connector was read again: its settings may have changed. */
  useConnector(connector: MessagingConnector): void;
  /** The user ends the session; the echo comes first, in the same commit. Source: 8.6. */
  endByUser(echo: ClientEventDraft): Promise<void>;
}

/**
 * What becomes of a client's event after its frame was found valid: session-state checks, rate limit (rows 8 and 9 of
 * 5.6), then storing and echoing. Runs for one event at a time.
 */
export class SessionIntake {
  readonly #host: IntakeHost;
  readonly #frames: TokenBucket;
  #rateWarnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(host: IntakeHost) {
    const { frameBurst, framesPerSecond } = host.services.limits;
    this.#host = host;
    this.#frames = createTokenBucket({ capacity: frameBurst, refillPerSecond: framesPerSecond });
  }

  /** Handles one event of a session that is not over. Rejects when storing failed. */
  async take(event: ClientEvent, sender: FrameSender, how: TakeOptions): Promise<void> {
    const { isAdmitted } = how;
    switch (event.type) {
      case 'EVENT_TYPE_USER_MESSAGE':
        await this.#takeMessage(event, sender, how);
        break;
      case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
        await this.#takeJoin(event, sender, isAdmitted);
        break;
      case 'EVENT_TYPE_USER_TYPING':
        if (this.#mayPass(event, sender, isAdmitted)) this.#host.handoff.forwardTyping(event.payload.state);
        break;
      case 'EVENT_TYPE_USER_END_SESSION':
        if (!this.#mayPass(event, sender, isAdmitted)) break;
        await this.#host.endByUser({ type: event.type, payload: {}, custom: event.custom });
        break;
      case 'EVENT_TYPE_USER_RECEIVED_MESSAGE':
      case 'EVENT_TYPE_USER_READ_MESSAGE':
        // A sign of life and nothing more: receipts are neither stored nor echoed (TBD-3).
        this.#mayPass(event, sender, isAdmitted);
        break;
      case 'EVENT_TYPE_CSAT_RESPONSE':
        // No survey is open: the session would have taken it.
        break;
      case 'EVENT_TYPE_HEARTBEAT':
        // Answered where it arrived: it goes to the sending socket only (HB-2).
        break;
    }
  }

  /**
   * Counts a frame when it arrives: how long it then waits for its turn must not earn it a place. False when it is over
   * the limit; the sender has been warned, if it was not warned lately.
   */
  admit(custom: CustomMap | null, sender: Pick<FrameSender, 'deliver'>): boolean {
    if (this.takeFromBucket()) return true;
    this.#warnOfRate(custom, sender);
    return false;
  }

  /** Counts a frame that another node has admitted already; false when it is over the limit of this one. */
  takeFromBucket(): boolean {
    return this.#frames.take(this.#host.services.clock.now());
  }

  /** Tells the sender that its event could not be handled. */
  answerFailure(error: unknown, event: ClientEvent, sender: FrameSender): void {
    if (isSessionLoss(error)) {
      // Over: the frame is ignored like any other after the end. Owned elsewhere: the client may try again.
      if (error.code === 'stale_owner') this.#refuse(SYSTEM_TEXTS.sessionUnavailable, event, sender);
      if (error.code === 'session_missing') this.#refuse(SYSTEM_TEXTS.sessionNotFound, event, sender);
      return;
    }
    const { services, hold } = this.#host;
    services.observer.failed('accept a client event', error, { sessionId: hold.facts.id });
    // Not acknowledged, so the client sends it again when it is back; the log then knows whether it was stored.
    sender.close(closeCodeOf(error), '');
  }

  /** Source: 6.2, SYS-2, ECH-4. */
  async #takeMessage(
    event: AcceptedEvent<'EVENT_TYPE_USER_MESSAGE'>,
    sender: FrameSender,
    { isAdmitted, draftId }: TakeOptions,
  ): Promise<void> {
    const writer = await this.#host.hold.writer();
    const refusal = this.#whyNoConversation();
    if (refusal !== null) {
      if (this.#mayPass(event, sender, isAdmitted)) sender.refuse(this.#error(refusal, event));
      return;
    }
    if (!this.#mayPass(event, sender, isAdmitted)) return;
    if (this.#host.turns.waitingCount >= this.#host.services.limits.maxWaitingTurns) {
      this.#refuse(SYSTEM_TEXTS.overloaded, event, sender);
      return;
    }
    const messageId = createMessageId();
    const { text } = event.payload;
    const { recipient } = this.#host.handoff;
    const needsTurn = recipient === 'agent' || recipient === 'held';
    const draft: ClientEventDraft = {
      type: event.type,
      payload: { text, message_id: messageId },
      custom: event.custom,
      clientEventId: clientEventIdOf(event.custom) ?? draftId,
    };
    const written = await writer.append([draft], needsTurn ? { queueTurn: { id: randomUUID() } } : undefined);
    if (written.status === 'repeated') {
      sender.deliver(written.original);
      return;
    }
    if (recipient === 'person') this.#host.handoff.forward({ messageId, text });
    const queuedAtMs = this.#host.services.clock.now();
    const input = { text, messageId, custom: event.custom, queuedAtMs };
    if (written.turn) this.#host.turns.add({ ...written.turn, kind: 'message', ...input });
  }

  /** Source: 6.1, JOIN-3. */
  async #takeJoin(
    event: AcceptedEvent<'EVENT_TYPE_REQUEST_AGENT_JOIN'>,
    sender: FrameSender,
    isAdmitted: boolean,
  ): Promise<void> {
    const writer = await this.#host.hold.writer();
    const connector = await this.#host.services.connectors.findById(this.#host.hold.facts.connectorId);
    if (!this.#mayPass(event, sender, isAdmitted)) return;
    if (connector === null || connector.isRevoked) {
      this.#refuse(SYSTEM_TEXTS.connectorNotFound, event, sender);
      return;
    }
    this.#host.useConnector(connector);
    const echo = { type: event.type, payload: {}, custom: event.custom };
    if (this.#host.hold.facts.conversationStatus === 'running') {
      await writer.append([echo]);
      return;
    }
    const nowMs = this.#host.services.clock.now();
    const { conversationId: known, language } = this.#host.hold.facts;
    const conversationId = known ?? createConversationId(nowMs);
    const session: SessionPatch = { conversationStatus: 'running', conversationId };
    const start = { id: conversationId, atMs: nowMs, language: language ?? connector.language };
    const record = known === null ? recordStart(connector, start) : { id: known, isAgentBack: true };
    const written = await writer.append([echo], { session, queueTurn: { id: randomUUID() }, record });
    this.#host.hold.apply(session);
    if (written.status === 'repeated' || written.turn === null) return;
    this.#host.turns.add({
      ...written.turn,
      kind: 'greeting',
      text: '',
      messageId: null,
      custom: event.custom,
      queuedAtMs: nowMs,
    });
  }

  /** Source: 12.1. Null: there is a conversation. */
  #whyNoConversation(): string | null {
    if (this.#host.hold.facts.conversationStatus === 'none') return SYSTEM_TEXTS.conversationNotStarted;
    if (this.#host.hold.facts.conversationStatus === 'lost') return SYSTEM_TEXTS.conversationNotFound;
    return null;
  }

  /** Source: section 16; 5.6 row 9. */
  #mayPass(event: ClientEvent, sender: FrameSender, isAdmitted: boolean): boolean {
    if (!isAdmitted) this.#warnOfRate(event.custom, sender);
    return isAdmitted;
  }

  #warnOfRate(custom: CustomMap | null, sender: Pick<FrameSender, 'deliver'>): void {
    const { clock, limits, observer } = this.#host.services;
    const nowMs = clock.now();
    observer.frameReceived('rate_limited');
    if (nowMs - this.#rateWarnedAtMs < limits.rateWarningIntervalMs) return;
    this.#rateWarnedAtMs = nowMs;
    sender.deliver(
      transientSystemMessage(nowMs, 'SYSTEM_MESSAGE_LEVEL_WARNING', SYSTEM_TEXTS.rateLimited, custom),
    );
  }

  #refuse(text: string, event: ClientEvent, sender: FrameSender): void {
    sender.deliver(this.#error(text, event));
  }

  #error(text: string, event: ClientEvent): OutgoingEvent {
    const nowMs = this.#host.services.clock.now();
    return transientSystemMessage(nowMs, 'SYSTEM_MESSAGE_LEVEL_ERROR', text, event.custom);
  }
}
