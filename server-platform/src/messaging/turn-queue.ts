import { type CustomMap, SYSTEM_TEXTS } from 'natter/protocol';
import { type Agent, type AgentTurn, type HandoffAction, withGivenState } from '../agents/index.ts';
import type { AppendEffects, ConversationChange, Session, SessionPatch } from '../db/index.ts';
import { markWaitBegun, settleWait } from '../external-events/index.ts';
import { agentJoined } from './agent-joined.ts';
import type { EventDraft } from './answer-writer.ts';
import type { ConversationHistory } from './conversation-history.ts';
import type { EventTurn, ExternalWaits } from './external-waits.ts';
import type { WaitingTurn } from './load-session.ts';
import { runTurn, type TurnOutcome } from './run-turn.ts';
import { recordHandoff, recordTurn } from './session-record.ts';
import type { SessionServices } from './session-services.ts';
import { isSessionLoss, type SessionWriter } from './session-writer.ts';
import { systemError } from './system-message.ts';

type QueuedTurn = WaitingTurn | EventTurn;

/** The session as its turns see it. */
export interface TurnHost {
  readonly services: SessionServices;
  readonly facts: Session;
  readonly language: string;
  readonly waits: ExternalWaits;
  /** Whether a person, or nobody, answers instead of the agent. */
  readonly isHandedOff: boolean;
  history(): ConversationHistory;
  agent(): Agent | null;
  /** The name by which the project asks for its agent. */
  readonly agentName: string;
  writer(): Promise<SessionWriter>;
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  apply(patch: SessionPatch): void;
  beginHandoff(action: HandoffAction, answer: readonly EventDraft[], effects: AppendEffects): Promise<void>;
  endNaturally(drafts: readonly EventDraft[], effects?: AppendEffects): Promise<void>;
  /** Storing failed: what this process knows of the session may be wrong. */
  lose(error: unknown): void;
}

/** The turns of one session: one at a time, in order of acceptance. Source: 8.2. */
export class TurnQueue {
  readonly #host: TurnHost;
  #queue: QueuedTurn[] = [];
  #running: Promise<void> | null = null;
  #controller = new AbortController();
  /** AGENT_JOINED is in the log and no AGENT_LEFT after it. */
  #hasAgentJoined = false;

  constructor(host: TurnHost) {
    this.#host = host;
  }

  get waitingCount(): number {
    return this.#queue.length;
  }

  get isIdle(): boolean {
    return this.#running === null && this.#next() === undefined;
  }

  /** While true, no turn begins. */
  isHeld = false;

  set hasAgentJoined(hasAgentJoined: boolean) {
    this.#hasAgentJoined = hasAgentJoined;
  }

  add(turn: QueuedTurn): void {
    this.#queue.push(turn);
    this.pump();
  }

  /** Starts the next turn, if there is one and nothing is in its way. */
  pump(): void {
    if (this.#running !== null || this.isHeld) return;
    const turn = this.#next();
    if (turn === undefined) return;
    this.#queue = this.#queue.filter((each) => each !== turn);
    const { signal } = this.#controller;
    this.#running = this.#run(turn, signal).finally(() => {
      this.#running = null;
      if (!signal.aborted) this.pump();
    });
  }

  /** Takes out the messages that wait for an answer, for somebody else to answer. */
  takeMessages(): readonly WaitingTurn[] {
    const messages = this.#queue.filter((turn): turn is WaitingTurn => turn.kind === 'message');
    this.#queue = this.#queue.filter((turn) => turn.kind !== 'message');
    return messages;
  }

  /** Takes the running turn away and forgets the rest; on record they stay as they are. */
  abort(reason: string): void {
    this.#queue = [];
    this.#controller.abort(new Error(reason));
    this.#controller = new AbortController();
  }

  /** Resolves when no turn runs. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /** A greeting goes first: messages that were accepted before a failed join wait for the next one. */
  #next(): QueuedTurn | undefined {
    const { facts, isHandedOff } = this.#host;
    if (isHandedOff) return undefined;
    const greeting = this.#queue.find((turn) => turn.kind === 'greeting');
    return greeting ?? (facts.conversationStatus === 'running' ? this.#queue[0] : undefined);
  }

  async #run(turn: QueuedTurn, signal: AbortSignal): Promise<void> {
    const { clock, observer } = this.#host.services;
    const startedAtMs = clock.now();
    try {
      const outcome = await this.#answer(turn, signal);
      // The session may have ended, or been lost, while the last words were in flight.
      signal.throwIfAborted();
      if (outcome.kind === 'answered' && outcome.next.type === 'continue') {
        // The log keeps the order; the user's next message need not wait for this commit.
        await this.#conclude(turn, outcome, startedAtMs);
      } else {
        await this.#host.inOrder(async () => {
          signal.throwIfAborted();
          await this.#conclude(turn, outcome, startedAtMs);
        });
      }
      observer.turnFinished(outcome.kind, clock.now() - startedAtMs);
    } catch (error) {
      observer.turnFinished('aborted', clock.now() - startedAtMs);
      if (signal.aborted || isSessionLoss(error)) return;
      this.#host.lose(error);
    }
  }

  async #answer(turn: QueuedTurn, signal: AbortSignal): Promise<TurnOutcome> {
    const { services, facts } = this.#host;
    const agent = this.#host.agent();
    const isJoining = turn.kind === 'greeting' && !this.#hasAgentJoined;
    if (agent === null) {
      const text = isJoining ? SYSTEM_TEXTS.joinFailed : SYSTEM_TEXTS.noReply;
      const missingAgent = this.#host.agentName;
      const cause = new Error(
        `The project's agent "${missingAgent}" is not in the configuration. Correct "agent" of the project, or add an agent of that name.`,
      );
      const stage = isJoining ? 'joining' : 'before_answer';
      const faults = { apiErrors: 0, functionErrors: 0 };
      return { kind: 'failed', stage, text, cause, missingAgent, faults, said: '', firstPartAtMs: null };
    }
    const writer = await this.#host.writer();
    if (!isJoining) writer.publishTransient('EVENT_TYPE_AGENT_THINKING');
    let isOnRecord = false;
    const storedState = readState(facts.agentState);
    return await runTurn({
      agent,
      turn: await this.#toAgentTurn(turn, storedState),
      storedState,
      signal,
      clock: services.clock,
      patience: services.limits,
      isStreaming: facts.streaming,
      isJoining,
      onJoined: async () => {
        await writer.append([agentJoined(agent)], { session: { state: 'active' } });
        this.#host.apply({ state: 'active' });
        this.#hasAgentJoined = true;
        writer.publishTransient('EVENT_TYPE_AGENT_THINKING');
      },
      append: async (drafts, messageId) => {
        const isAnswer = drafts.some(({ type }) => type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK');
        // The first part goes on the turn's record: a new owner sees that this answer was begun.
        const isFirst = isAnswer && !isOnRecord;
        isOnRecord ||= isFirst;
        signal.throwIfAborted();
        const begun = isFirst ? begunEffects(turn, messageId ?? '', services.clock.now()) : undefined;
        await writer.append(drafts, withLanguage(drafts, begun));
      },
      onLanguage: (language) => this.#host.apply({ language }),
      onWait: (wait) => this.#host.waits.open(wait),
    });
  }

  async #toAgentTurn(turn: QueuedTurn, storedState: AgentTurn['state']): Promise<Omit<AgentTurn, 'signal'>> {
    const externalEvents = await this.#host.waits.show();
    const { facts, language } = this.#host;
    const pageContext = turn.kind === 'event' ? undefined : pageContextOf(turn.custom);
    const before = turn.kind === 'event' ? Number.POSITIVE_INFINITY : turn.inputSequence;
    return {
      kind: turn.kind,
      text: turn.kind === 'event' ? '' : turn.text,
      history: this.#host.history().entriesBefore(before),
      language,
      state: withGivenState(storedState, { page_context: pageContext }),
      contextVault: facts.contextVault ?? {},
      ...(pageContext !== undefined && { pageContext }),
      conversationId: facts.conversationId ?? '',
      externalEvents,
      ...(turn.kind === 'event' && { event: turn.event }),
    };
  }

  async #conclude(turn: QueuedTurn, outcome: TurnOutcome, startedAtMs: number): Promise<void> {
    const host = this.#host;
    if (outcome.kind === 'failed') {
      host.services.observer.failed('answer a turn', outcome.cause, { sessionId: host.facts.id });
      await this.#recordFailure(turn, outcome, startedAtMs);
      return;
    }
    const finishedAtMs = host.services.clock.now();
    // What did not change need not be written again with every turn.
    const patch: SessionPatch = outcome.hasChangedState ? { agentState: outcome.state } : {};
    const finished: AppendEffects =
      turn.kind === 'event'
        ? settledEffects(turn, finishedAtMs)
        : {
            turn: {
              id: turn.id,
              state: 'done',
              startedAtMs,
              finishedAtMs,
              latencyMs: (outcome.firstPartAtMs ?? finishedAtMs) - turn.queuedAtMs,
              record: outcome.record,
            },
          };
    host.apply(patch);
    const record = this.#record(turn, outcome, finishedAtMs);
    const effects: AppendEffects = { ...finished, session: patch, record };
    if (outcome.next.type === 'handoff') {
      this.#hasAgentJoined = false;
      const handoff = recordHandoff(outcome.next, finishedAtMs);
      await host.beginHandoff(outcome.next, outcome.drafts, { ...effects, record: { ...record, handoff } });
    } else if (outcome.next.type === 'end') {
      await host.endNaturally(outcome.drafts, effects);
    } else {
      await (await host.writer()).append(outcome.drafts, effects);
    }
    if (turn.kind === 'event') host.waits.settle(turn.wait);
  }

  /** What the turn adds to the conversation's record, written with its last event. */
  #record(turn: QueuedTurn, outcome: TurnOutcome, atMs: number): ConversationChange {
    const { facts, language } = this.#host;
    const input =
      turn.kind === 'event' ? { kind: turn.kind, text: '', messageId: null, queuedAtMs: null } : turn;
    return { id: facts.conversationId ?? '', language, turns: [recordTurn(input, outcome, atMs)] };
  }

  async #recordFailure(
    turn: QueuedTurn,
    failure: Extract<TurnOutcome, { readonly kind: 'failed' }>,
    startedAtMs: number,
  ): Promise<void> {
    const writer = await this.#host.writer();
    const finishedAtMs = this.#host.services.clock.now();
    // After a failed join the user may ask again (JOIN-4): there is no conversation.
    const session: SessionPatch | undefined =
      failure.stage === 'joining' ? { conversationStatus: 'none' } : undefined;
    const effects: AppendEffects =
      turn.kind === 'event'
        ? settledEffects(turn, finishedAtMs)
        : { turn: { id: turn.id, state: 'failed', startedAtMs, finishedAtMs } };
    const record = this.#record(turn, failure, finishedAtMs);
    await writer.append([systemError(failure.text, failure.missingAgent)], { ...effects, session, record });
    if (session !== undefined) this.#host.apply(session);
    if (turn.kind === 'event') this.#host.waits.settle(turn.wait);
  }
}

/** What a page said, without the names of the client's draft (MET-4). */
function pageContextOf(custom: CustomMap | null): CustomMap | undefined {
  const { client_event_id: _id, local_id: _alias, ...pageContext } = custom ?? {};
  return Object.keys(pageContext).length > 0 ? pageContext : undefined;
}

/** The first part goes on record with what asked for it: a new owner sees that this answer was begun. */
function begunEffects(turn: QueuedTurn, messageId: string, nowMs: number): AppendEffects {
  return turn.kind === 'event'
    ? { also: (sql) => markWaitBegun(sql, turn.wait, nowMs) }
    : { turn: { id: turn.id, state: 'running', messageId, startedAtMs: nowMs } };
}

function settledEffects({ wait }: EventTurn, nowMs: number): AppendEffects {
  return { also: (sql) => settleWait(sql, wait, nowMs) };
}

function withLanguage(
  drafts: readonly EventDraft[],
  effects: AppendEffects | undefined,
): AppendEffects | undefined {
  const changed = drafts.find(({ type }) => type === 'EVENT_TYPE_LANGUAGE_CHANGED');
  const language = changed?.payload['language_code'];
  return typeof language === 'string' ? { ...effects, session: { language } } : effects;
}

function readState(stored: unknown): Readonly<Record<string, unknown>> {
  return typeof stored === 'object' && !Array.isArray(stored) ? { ...stored } : {};
}
