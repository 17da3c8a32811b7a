import { SYSTEM_TEXTS } from 'natter/protocol';
import type { HandoffAction } from '../agents/index.ts';
import type { AppendEffects, ConversationChange, SessionPatch } from '../db/index.ts';
import type { EventDraft } from './answer-writer.ts';
import type { Clock } from './clock.ts';
import type { MessagingConnector } from './connector.ts';
import {
  AGENT_LEFT,
  AGENT_TRIGGERED_HANDOFF,
  clientHandoffRequired,
  liveAgentJoined,
  liveAgentLeft,
  liveAgentMessage,
  toWireQueueStatus,
} from './handoff-events.ts';
import {
  type HandoffLink,
  type HandoffProvider,
  type HandoffRequest,
  type HandoffResumption,
  type HandoffSession,
  isHandoffRefusedError,
} from './handoff-provider.ts';
import { createMessageId } from './outgoing.ts';
import type { SessionWriter } from './session-writer.ts';
import { systemError } from './system-message.ts';

/** The session as its hand-off sees it. */
export interface HandoffHost {
  readonly clock: Clock;
  readonly connector: MessagingConnector;
  readonly providers: readonly HandoffProvider[];
  writer(): Promise<SessionWriter>;
  /** Runs work after everything that was accepted before. */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  agentJoined(): EventDraft;
  /** Ends the session with `REASON_NATURAL_END`; the drafts come first, in the same commit. */
  endNaturally(drafts: readonly EventDraft[], effects?: AppendEffects): Promise<void>;
  /** What the agent's return adds to the conversation's record, besides what the same commit adds. */
  recordReturn(record: ConversationChange | undefined): ConversationChange | undefined;
  /** What the session is from now on; kept in step with what was stored. */
  apply(patch: SessionPatch): void;
  /** The automated agent answers again: what waits is answered. */
  resumeAgent(): void;
  /** A person can be reached: what waits for an answer goes there. Runs in order. */
  handOver(): Promise<void>;
  /** A hand-off could not be carried on; for the operator's log. */
  onFailure(what: string, error: unknown): void;
}

/** What is stored with the session, so that a restart can carry on. */
type StoredHandoff =
  | { readonly managed: 'client' }
  | { readonly managed: 'server'; readonly reference: unknown };

/**
 * A session's way to a person and back.
 *
 * | state     | means                                       | leaves it                                            |
 * |-----------|---------------------------------------------|------------------------------------------------------|
 * | `none`    | the automated agent answers                 | `begin`                                              |
 * | `client`  | the page does it (8.4)                      | only the session's end                               |
 * | `waiting` | triggered, nobody has joined yet            | a person joins; failure; time-out                    |
 * | `live`    | a person answers                            | the person leaves                                    |
 *
 * Source: messaging.md 8.3 to 8.5, 8.10.
 */
export class HandoffFlow {
  readonly #host: HandoffHost;
  #status: 'none' | 'client' | 'waiting' | 'live' = 'none';
  #link: HandoffLink | null = null;
  #queueStatus: Readonly<Record<string, unknown>> | null = null;
  #cancelTimeout: () => void = () => {};
  #forwarding: Promise<void> = Promise.resolve();
  /** Raised by every hand-off that begins or ends: what a provider says for an older one is ignored. */
  #round = 0;

  constructor(host: HandoffHost) {
    this.#host = host;
  }

  /** True while the automated agent has no say. */
  get isActive(): boolean {
    return this.#status !== 'none';
  }

  /** Who gets what the user writes. `held`: it waits until the hand-off is open. `nobody`: the page sees to it. */
  get recipient(): 'agent' | 'held' | 'person' | 'nobody' {
    if (this.#status === 'none') return 'agent';
    if (this.#status === 'client') return 'nobody';
    return this.#link === null ? 'held' : 'person';
  }

  /** The last queue status while the queue lasts; sent again to a new socket (5.5). */
  get queueStatus(): Readonly<Record<string, unknown>> | null {
    return this.#queueStatus;
  }

  /** Carries out the agent's wish, storing the answer it ended in the same commit. */
  async begin(
    action: HandoffAction,
    buildRequest: () => HandoffRequest,
    answer: readonly EventDraft[],
    effects: AppendEffects,
  ): Promise<void> {
    const writer = await this.#host.writer();
    const provider = this.#host.providers.find((each) => each.serves(buildRequest()));
    const isClientManaged = action.managed === 'client' || provider?.managed === 'client';
    if (!isClientManaged && provider === undefined) {
      await this.#giveUp(
        [...answer, AGENT_TRIGGERED_HANDOFF, AGENT_LEFT, systemError(SYSTEM_TEXTS.handoffNotInitiated)],
        'EVENT_TYPE_HANDOFF_FAILED',
        undefined,
        effects,
      );
      return;
    }
    const handoff: StoredHandoff = isClientManaged
      ? { managed: 'client' }
      : { managed: 'server', reference: null };
    const patch: SessionPatch = { ...effects.session, state: 'handoff', handoff };
    const steps = isClientManaged
      ? [
          AGENT_TRIGGERED_HANDOFF,
          clientHandoffRequired(action, this.#host.connector.handoffRoute),
          AGENT_LEFT,
        ]
      : [AGENT_TRIGGERED_HANDOFF, AGENT_LEFT];
    await writer.append([...answer, ...steps], { ...effects, session: patch });
    this.#host.apply(patch);
    if (isClientManaged || provider?.managed !== 'server') {
      this.#status = 'client';
      return;
    }
    this.#startWaiting();
    // Only now does the history hold what the agent said last.
    void this.#open(provider.open(buildRequest(), this.#session(this.#round)), this.#round);
  }

  /** Takes up the hand-off that an earlier owner of the session left behind. */
  resume(sessionId: string, state: 'handoff' | 'live', stored: unknown): void {
    if (wasClientManaged(stored)) {
      this.#status = 'client';
      return;
    }
    this.#startWaiting();
    if (state === 'live') this.#becomeLive();
    const reference = typeof stored === 'object' && stored !== null ? Reflect.get(stored, 'reference') : null;
    const round = this.#round;
    const isLive = state === 'live';
    void this.#open(this.#findAgain({ sessionId, reference, isLive }, round), round);
  }

  /** Gives a user's message to the person, after those before it. A failure is told to everybody in the session. */
  forward(message: { readonly messageId: string; readonly text: string }): void {
    const link = this.#link;
    const round = this.#round;
    if (link === null) return;
    this.#forwarding = this.#forwarding.then(async () => {
      try {
        await link.sendMessage(message);
      } catch (error) {
        this.#host.onFailure('forward a message to a live agent', error);
        await this.#inRound(round, async () => {
          await (await this.#host.writer()).append([systemError(SYSTEM_TEXTS.forwardFailed)]);
        });
      }
    });
  }

  forwardTyping(state: 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'): void {
    this.#link?.sendTyping(state);
  }

  /** The session is over, or this process lets go of it. */
  close(reason: 'user_ended' | 'expired' | 'timed_out' | 'shutdown'): void {
    this.#link?.close(reason);
    this.#reset('none');
  }

  async #findAgain(request: HandoffResumption, round: number): Promise<HandoffLink> {
    for (const provider of this.#host.providers) {
      if (provider.managed === 'client') continue;
      const link = await provider.resume(request, this.#session(round));
      if (link !== null) return link;
    }
    throw new Error('No hand-off provider knows the hand-off any more.');
  }

  async #open(opening: Promise<HandoffLink>, round: number): Promise<void> {
    try {
      const link = await opening;
      await this.#host.inOrder(async () => {
        if (round !== this.#round) {
          link.close('timed_out');
          return;
        }
        this.#link = link;
        const handoff: StoredHandoff = { managed: 'server', reference: link.reference };
        await (await this.#host.writer()).append([], { session: { handoff } });
        await this.#host.handOver();
      });
    } catch (error) {
      this.#host.onFailure('open a hand-off', error);
      const text = isHandoffRefusedError(error)
        ? SYSTEM_TEXTS.handoffNotInitiated
        : SYSTEM_TEXTS.handoffUnavailable;
      await this.#inRound(round, () => this.#giveUp([systemError(text)], 'EVENT_TYPE_HANDOFF_FAILED'));
    }
  }

  /** Runs work in order, unless this hand-off is over by then. What fails is logged: nobody waits for it. */
  async #inRound<T>(round: number, work: () => Promise<T>): Promise<T | null> {
    try {
      return await this.#host.inOrder(async () => (round === this.#round ? await work() : null));
    } catch (error) {
      this.#host.onFailure('carry out a hand-off', error);
      return null;
    }
  }

  #session(round: number): HandoffSession {
    const append = async (drafts: readonly EventDraft[], patch?: SessionPatch): Promise<void> => {
      await (await this.#host.writer()).append(drafts, patch === undefined ? undefined : { session: patch });
      if (patch !== undefined) this.#host.apply(patch);
    };
    const run = async (work: () => Promise<void>): Promise<void> => {
      await this.#inRound(round, work);
    };
    return {
      accepted: (queueName) =>
        run(() =>
          append([
            {
              type: 'EVENT_TYPE_HANDOFF_ACCEPTED',
              payload: queueName === null ? {} : { queue_name: queueName },
            },
          ]),
        ),
      queueChanged: (status) =>
        run(async () => {
          this.#queueStatus = toWireQueueStatus(status);
          (await this.#host.writer()).publishTransient('EVENT_TYPE_HANDOFF_QUEUE_STATUS', this.#queueStatus);
        }),
      agentJoined: (agent) =>
        run(async () => {
          await append([liveAgentJoined(agent)], { state: 'live' });
          this.#becomeLive();
        }),
      agentTyping: (agent, state) =>
        run(async () => {
          const payload = { state, agent_id: agent.id, agent_name: agent.name };
          (await this.#host.writer()).publishTransient('EVENT_TYPE_LIVE_AGENT_TYPING', payload);
        }),
      agentSent: (message) =>
        this.#inRound(round, async () => {
          const messageId = createMessageId();
          await append([liveAgentMessage(messageId, message)]);
          return messageId;
        }),
      agentLeft: (agent, next, reason) =>
        run(async () => {
          const left = liveAgentLeft(agent, reason);
          if (next === 'end') {
            this.#reset('none');
            await this.#host.endNaturally([left]);
            return;
          }
          await append([left], { state: 'handoff' });
          this.#status = 'waiting';
          this.#scheduleTimeout();
        }),
      failed: (reason) => run(() => this.#giveUp([], 'EVENT_TYPE_HANDOFF_FAILED', reason)),
    };
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
    this.#cancelTimeout = this.#host.clock.setTimer(() => {
      void this.#inRound(round, async () => {
        if (this.#status !== 'waiting') return;
        this.#link?.close('timed_out');
        await this.#giveUp([], 'EVENT_TYPE_HANDOFF_TIMEOUT');
      });
    }, this.#host.connector.handoffTimeoutMs);
  }

  /** Ends the hand-off without a person, and does what the connector says for that. Source: 8.5. */
  async #giveUp(
    before: readonly EventDraft[],
    type: 'EVENT_TYPE_HANDOFF_FAILED' | 'EVENT_TYPE_HANDOFF_TIMEOUT',
    reason?: string,
    effects: AppendEffects = {},
  ): Promise<void> {
    const drafts: EventDraft[] = [...before, { type, payload: reason === undefined ? {} : { reason } }];
    this.#reset('none');
    const { onHandoffFailure } = this.#host.connector;
    if (onHandoffFailure === 'end') {
      await this.#host.endNaturally(drafts, effects);
      return;
    }
    if (onHandoffFailure === 'rejoin') drafts.push(this.#host.agentJoined());
    const patch: SessionPatch =
      onHandoffFailure === 'rejoin'
        ? { state: 'active', handoff: null }
        : { state: 'created', conversationStatus: 'lost', handoff: null };
    const session: SessionPatch = { ...effects.session, ...patch };
    const record = onHandoffFailure === 'rejoin' ? this.#host.recordReturn(effects.record) : effects.record;
    await (await this.#host.writer()).append(drafts, { ...effects, session, record });
    this.#host.apply(session);
    this.#host.resumeAgent();
  }

  #reset(status: 'none' | 'waiting'): void {
    this.#round += 1;
    this.#status = status;
    this.#link = null;
    this.#queueStatus = null;
    this.#cancelTimeout();
  }
}

function wasClientManaged(stored: unknown): boolean {
  return typeof stored === 'object' && stored !== null && Reflect.get(stored, 'managed') === 'client';
}
