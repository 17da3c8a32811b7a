import { CANCELLED_BY_USER, SYSTEM_TEXTS } from 'natter/protocol';
import type { HandoffAction } from '../../agents/index.ts';
import { createMessageId } from '../../db/ids/index.ts';
import type { SessionPort } from '../../realtime/conversation/index.ts';
import {
  type AppendOutcome,
  type ClientEventDraft,
  type EventDraft,
  recordPerson,
  systemError,
  systemNotice,
} from '../../realtime/conversation/index.ts';
import type { AppendEffects } from '../../realtime/event-log/index.ts';
import {
  AGENT_LEFT,
  agentTriggeredHandoff,
  handoffAccepted,
  liveAgentJoined,
  liveAgentLeft,
  liveAgentMessage,
  toWireQueueStatus,
} from './handoff-events.ts';
import {
  type HandoffCloseReason,
  type HandoffLink,
  type HandoffRequest,
  type HandoffResumption,
  type HandoffSession,
  isHandoffRefusedError,
} from './handoff-provider.ts';
import { createHandoffRequest } from './handoff-request.ts';
import { endWithoutPerson, returnToAgent, storeRequest } from './handoff-steps.ts';
import { readReference, type StoredHandoff, wasClientManaged } from './stored-handoff.ts';

/**
 * One session's hand-off to a human and back.
 *
 * | state     | means                                       | leaves it                                            |
 * |-----------|---------------------------------------------|------------------------------------------------------|
 * | `none`    | the automated agent answers                 | `begin`                                              |
 * | `client`  | the page does it (8.4)                      | the session's end; a cancellation by the visitor     |
 * | `waiting` | requested, no person has joined yet         | a person joins; failure; time-out; a cancellation    |
 * | `live`    | a person answers                            | they leave: to another one, the agent, or the end    |
 *
 * Source: messaging.md 8.3 to 8.5, 8.10.
 */
export class Handoff {
  readonly #port: SessionPort;
  #status: 'none' | 'client' | 'waiting' | 'live' = 'none';
  #link: HandoffLink | null = null;
  #queueStatus: Readonly<Record<string, unknown>> | null = null;
  #cancelTimeout: () => void = () => {};
  #forwarding: Promise<void> = Promise.resolve();
  /** Raised when a hand-off starts or ends, so that a provider's events for an older one are ignored. */
  #round = 0;
  /** Rounds that the visitor has cancelled while the provider still opened them. */
  readonly #cancelled = new Set<number>();

  constructor(port: SessionPort) {
    this.#port = port;
  }

  /** True while the automated agent does not answer. */
  get isActive(): boolean {
    return this.#status !== 'none';
  }

  /** Receiver of the user's messages. `held`: queued until the hand-off is open. `nobody`: handled by the page. */
  get recipient(): 'agent' | 'held' | 'person' | 'nobody' {
    if (this.#status === 'none') return 'agent';
    if (this.#status === 'client') return 'nobody';
    return this.#link === null ? 'held' : 'person';
  }

  /** The last queue status while the queue lasts; sent again to a new socket (5.5). */
  get queueStatus(): Readonly<Record<string, unknown>> | null {
    return this.#queueStatus;
  }

  /** Starts the hand-off that the agent requested, and stores the answer that it ended in the same commit. */
  async begin(action: HandoffAction, answer: readonly EventDraft[], effects: AppendEffects): Promise<void> {
    const request = (): HandoffRequest => createHandoffRequest(action, this.#port);
    const provider = this.#port.context.handoffProviders.find((each) => each.serves(request()));
    const isClientManaged = action.managed === 'client' || provider?.managed === 'client';
    if (!isClientManaged && provider === undefined) {
      await this.#fail(
        [...answer, agentTriggeredHandoff(action), AGENT_LEFT, systemError(SYSTEM_TEXTS.handoffNotInitiated)],
        'EVENT_TYPE_HANDOFF_FAILED',
        undefined,
        effects,
      );
      return;
    }
    await storeRequest(this.#port, action, isClientManaged, answer, effects);
    if (isClientManaged || provider?.managed !== 'server') {
      this.#status = 'client';
      return;
    }
    this.#startWaiting();
    // Only now the history contains the agent's last text.
    void this.#open(provider.open(request(), this.#session(this.#round)), this.#round);
  }

  /** Resumes the hand-off that an earlier owner of the session left behind. */
  resume(state: 'handoff' | 'live'): void {
    const { id: sessionId, handoff: stored } = this.#port.row;
    if (wasClientManaged(stored)) {
      this.#status = 'client';
      return;
    }
    this.#startWaiting();
    if (state === 'live') this.#becomeLive();
    const reference = readReference(stored);
    const round = this.#round;
    const isLive = state === 'live';
    void this.#open(this.#findAgain({ sessionId, reference, isLive }, round), round);
  }

  /** Gives a user's message to the person, after those before it. A failure is sent to the whole session. */
  forward(message: { readonly messageId: string; readonly text: string }): void {
    const link = this.#link;
    const round = this.#round;
    if (link === null) return;
    this.#forwarding = this.#forwarding.then(async () => {
      try {
        await link.sendMessage(message);
      } catch (error) {
        this.#port.report('forward a message to a live agent', error);
        await this.#inRound(round, async () => {
          await this.#port.append([systemError(SYSTEM_TEXTS.forwardFailed)]);
        });
      }
    });
  }

  forwardTyping(state: 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'): void {
    this.#link?.sendTyping(state);
  }

  forwardRead(messageId: string): void {
    this.#link?.sendRead?.(messageId);
  }

  /** Withdraws the request for a person; nothing happens once a person has joined. Source: EXT-5. */
  async cancel(): Promise<void> {
    if (this.#status !== 'waiting' && this.#status !== 'client') return;
    if (this.#link === null) this.#cancelled.add(this.#round);
    this.#link?.close(CANCELLED_BY_USER);
    await this.#fail([], 'EVENT_TYPE_HANDOFF_FAILED', CANCELLED_BY_USER);
  }

  /** The session has ended, or this process releases it. */
  close(reason: HandoffCloseReason): void {
    this.#link?.close(reason);
    this.#reset('none');
  }

  async #findAgain(request: HandoffResumption, round: number): Promise<HandoffLink> {
    for (const provider of this.#port.context.handoffProviders) {
      if (provider.managed === 'client') continue;
      const link = await provider.resume(request, this.#session(round));
      if (link !== null) return link;
    }
    throw new Error('The provider of this hand-off is no longer configured.');
  }

  async #open(opening: Promise<HandoffLink>, round: number): Promise<void> {
    try {
      const link = await opening;
      await this.#port.runExclusive(async () => {
        if (round !== this.#round) {
          link.close(this.#cancelled.delete(round) ? CANCELLED_BY_USER : 'timed_out');
          return;
        }
        this.#link = link;
        const handoff: StoredHandoff = { managed: 'server', reference: link.reference };
        await this.#port.append([], { session: { handoff } });
        await this.#forwardWaiting();
      });
    } catch (error) {
      this.#port.report('open a hand-off', error);
      const text = isHandoffRefusedError(error)
        ? SYSTEM_TEXTS.handoffNotInitiated
        : SYSTEM_TEXTS.handoffUnavailable;
      await this.#inRound(round, () => this.#fail([systemError(text)], 'EVENT_TYPE_HANDOFF_FAILED'));
    }
  }

  /** Runs work in order, unless this hand-off is over by then. Failures are logged, because no caller waits for them. */
  async #inRound<T>(round: number, work: () => Promise<T>): Promise<T | null> {
    try {
      return await this.#port.runExclusive(async () => (round === this.#round ? await work() : null));
    } catch (error) {
      this.#port.report('run a hand-off', error);
      return null;
    }
  }

  #session(round: number): HandoffSession {
    const run = async (work: () => Promise<void>): Promise<void> => {
      await this.#inRound(round, work);
    };
    return {
      accepted: (queueName, id) =>
        run(async () => {
          // The queue is over once a person has joined: a desk may send its events out of order.
          if (this.#status !== 'waiting') return;
          await this.#port.append([{ ...handoffAccepted(queueName), clientEventId: id ?? null }]);
        }),
      queueChanged: (status) =>
        run(async () => {
          if (this.#status !== 'waiting') return;
          this.#queueStatus = toWireQueueStatus(status);
          this.#port.notify('EVENT_TYPE_HANDOFF_QUEUE_STATUS', this.#queueStatus);
        }),
      agentJoined: (agent, id) =>
        run(async () => {
          await this.#join([{ ...liveAgentJoined(agent), clientEventId: id ?? null }]);
        }),
      agentTyping: (agent, state) =>
        run(async () => {
          this.#port.notify('EVENT_TYPE_LIVE_AGENT_TYPING', {
            state,
            agent_id: agent.id,
            agent_name: agent.name,
          });
        }),
      agentSent: (message, id) =>
        this.#inRound(round, async () => {
          const messageId = createMessageId();
          const draft = { ...liveAgentMessage(messageId, message), clientEventId: id ?? null };
          // A human agent who writes has joined, even if the desk did not report it. Source: 8.3.
          const outcome =
            this.#status === 'waiting'
              ? await this.#join([liveAgentJoined(message.agent), draft])
              : await this.#port.append([draft]);
          return outcome.status === 'repeated' ? String(outcome.original.payload['message_id']) : messageId;
        }),
      agentLeft: (agent, next, departure = {}, id) =>
        run(() => {
          const left = { ...liveAgentLeft(agent, departure), clientEventId: id ?? null };
          return this.#leave(left, next, departure.summary);
        }),
      failed: (reason, notice) =>
        run(() =>
          this.#fail(notice === undefined ? [] : [systemNotice(notice)], 'EVENT_TYPE_HANDOFF_FAILED', reason),
        ),
    };
  }

  /** Stores that a person has joined. */
  async #join(drafts: readonly ClientEventDraft[]): Promise<AppendOutcome> {
    const { row, context } = this.#port;
    const record = recordPerson(row, context.clock.now());
    const outcome = await this.#port.append(drafts, { session: { state: 'live' }, record });
    if (outcome.status === 'appended') this.#becomeLive();
    return outcome;
  }

  /** The person has left; another one, the automated agent or the end follows. */
  async #leave(left: ClientEventDraft, next: 'end' | 'wait' | 'agent', summary?: string): Promise<void> {
    if (next === 'end') {
      this.#reset('none');
      await this.#port.endNaturally([left]);
      return;
    }
    if (next === 'wait') {
      const { status } = await this.#port.append([left], { session: { state: 'handoff' } });
      if (status !== 'appended') return;
      this.#status = 'waiting';
      this.#scheduleTimeout();
      return;
    }
    this.#reset('none');
    await returnToAgent(this.#port, [left], {}, summary);
  }

  #startWaiting(): void {
    this.#reset('waiting');
    this.#scheduleTimeout();
  }

  #becomeLive(): void {
    this.#cancelTimeout();
    this.#queueStatus = null;
    this.#status = 'live';
  }

  #scheduleTimeout(): void {
    const round = this.#round;
    this.#cancelTimeout();
    this.#cancelTimeout = this.#port.context.clock.setTimer(() => {
      void this.#inRound(round, async () => {
        if (this.#status !== 'waiting') return;
        this.#link?.close('timed_out');
        await this.#fail([], 'EVENT_TYPE_HANDOFF_TIMEOUT');
      });
    }, this.#port.connector.handoffTimeoutMs);
  }

  /** Ends the hand-off without a human agent, and applies the connector's setting. Source: 8.5. */
  async #fail(
    before: readonly EventDraft[],
    type: 'EVENT_TYPE_HANDOFF_FAILED' | 'EVENT_TYPE_HANDOFF_TIMEOUT',
    reason?: string,
    effects: AppendEffects = {},
  ): Promise<void> {
    const end: EventDraft = { type, payload: reason === undefined ? {} : { reason } };
    this.#reset('none');
    await endWithoutPerson(this.#port, [...before, end], reason === CANCELLED_BY_USER, effects);
  }

  /** Messages that were written while the hand-off opened go to the human; the agent never answers them. */
  async #forwardWaiting(): Promise<void> {
    for (const turn of this.#port.takeWaitingMessages()) {
      const { text } = await this.#port.readInput(turn);
      await this.#port.append([], { endTurn: turn });
      this.forward({ messageId: turn.messageId ?? '', text });
    }
  }

  #reset(status: 'none' | 'waiting'): void {
    this.#round += 1;
    this.#status = status;
    this.#link = null;
    this.#queueStatus = null;
    this.#cancelTimeout();
  }
}
