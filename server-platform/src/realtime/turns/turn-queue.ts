import { type OpenSpan, TraceContext } from '@natter/server-kit/trace-context';
import { type CustomMap, EXTENSIONS_KEY } from 'natter/protocol';
import { type Agent, type AgentTurn, withStateVariables } from '../../agents/index.ts';
import type { SessionPort, WaitingTurn } from '../conversation/index.ts';
import { agentJoined, type EventDraft, missingAgentOf } from '../conversation/index.ts';
import type { ExternalState } from '../external-events/index.ts';
import type { TurnResult } from '../messaging-context.ts';
import { isSessionLoss } from '../session-loss.ts';
import { codeOf } from '../trace/index.ts';
import { concludeTurn, languageOf } from './conclude-turn.ts';
import { ExternalEventWaits } from './external-event-waits.ts';
import { runTurn, type TurnOutcome } from './run-turn.ts';
import {
  begunEffects,
  failWithoutAgent,
  isWithoutTrace,
  type QueuedTurn,
  withLanguage,
} from './turn-effects.ts';

/** The turns of one session: one at a time, in order of acceptance. Source: 8.2. */
export class TurnQueue {
  /** The external events that the agent waits for. */
  readonly waits: ExternalEventWaits;
  readonly #port: SessionPort;
  #queue: QueuedTurn[] = [];
  #running: Promise<void> | null = null;
  /** Messages whose commit is in flight. */
  #expected = 0;
  /** Turns without text whose ends are being stored. */
  readonly #ending = new Set<Promise<void>>();
  #controller = new AbortController();
  /** Aborts the agent of the running turn. */
  #agentController = new AbortController();
  /** Message id of the streaming answer; `null` before its first part. */
  #answerId: string | null = null;
  #isPaused = false;

  constructor(port: SessionPort) {
    this.#port = port;
    this.waits = new ExternalEventWaits(port, () => {
      port
        .runExclusive(() => this.readExternalEvents())
        .catch((error: unknown) => port.report('notify the agent of an ended wait', error));
    });
  }

  /** Number of waiting turns, including messages whose commit is in flight. */
  get waitingCount(): number {
    return this.#queue.length + this.#expected;
  }

  /** Whether part of an answer has been sent and more follows. */
  get isStreaming(): boolean {
    return this.#answerId !== null;
  }

  get isIdle(): boolean {
    return this.#running === null && this.#ending.size === 0 && this.#next() === undefined;
  }

  /** Counts a turn as waiting until the returned function is called, while its message is stored. */
  expect(): () => void {
    this.#expected += 1;
    return () => {
      this.#expected -= 1;
    };
  }

  /** Starts no more turns. */
  pause(): void {
    this.#isPaused = true;
  }

  add(turn: QueuedTurn): void {
    const held = this.#queue.reduce((sum, each) => sum + bytesOf(each), 0);
    this.#queue.push(held + bytesOf(turn) > MAX_HELD_BYTES ? withoutInput(turn) : turn);
    this.startNext();
  }

  /** Resumes an earlier owner's unfinished turns and waits for external events. */
  resume(turns: readonly WaitingTurn[], external: ExternalState): void {
    for (const turn of turns) this.add(turn);
    this.waits.load(external);
    this.#addEndedWaits();
  }

  /** Reloads the external events, and queues a turn for each wait that ended. */
  async readExternalEvents(): Promise<void> {
    await this.waits.read();
    this.#addEndedWaits();
  }

  /** Starts the next turn, unless one is running, the queue is paused or no turn may start. */
  startNext(): void {
    if (this.#running !== null || this.#isPaused) return;
    const turn = this.#next();
    if (turn === undefined) return;
    this.#queue = this.#queue.filter((each) => each !== turn);
    const { signal } = this.#controller;
    this.#agentController = new AbortController();
    this.#running = this.#trace(turn, signal).finally(() => {
      this.#running = null;
      this.#answerId = null;
      this.startNext();
    });
  }

  /** Removes and returns the waiting messages, so that a human answers them. */
  takeMessages(): readonly WaitingTurn[] {
    const messages = this.#queue.filter((turn): turn is WaitingTurn => turn.kind === 'message');
    this.#queue = this.#queue.filter((turn) => turn.kind !== 'message');
    return messages;
  }

  /** Ends the answer `messageId` with the text so far; does nothing if it is not streaming. Source: EXT-4. */
  stop(messageId: string): void {
    if (messageId === this.#answerId)
      this.#agentController.abort(new Error('The visitor stopped the answer.'));
  }

  /** Aborts the running turn and drops the waiting ones; their records stay. */
  abort(reason: string): void {
    this.#queue = [];
    const error = new Error(reason);
    this.#controller.abort(error);
    this.#agentController.abort(error);
    this.#controller = new AbortController();
  }

  /** Resolves when no turn is running. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
    await Promise.all(this.#ending);
  }

  /** Greetings go first: messages accepted before a failed join wait for the next join. */
  #next(): QueuedTurn | undefined {
    const { state, conversationStatus } = this.#port.row;
    // A human answers, or the page connects the visitor to one.
    if (state === 'handoff' || state === 'live') return undefined;
    const greeting = this.#queue.find((turn) => turn.kind === 'greeting');
    return greeting ?? (conversationStatus === 'running' ? this.#queue[0] : undefined);
  }

  #addEndedWaits(): void {
    for (const turn of this.waits.takeEnded()) this.add(turn);
  }

  /** Runs a turn in a span of the session's trace. */
  async #trace(turn: QueuedTurn, signal: AbortSignal): Promise<void> {
    const { id, traceParent } = this.#port.row;
    const attributes = { 'session.id': id, 'natter.turn.kind': turn.kind };
    await TraceContext.parse(traceParent).span('turn', attributes, (span) => this.#run(turn, signal, span));
  }

  async #run(queued: QueuedTurn, signal: AbortSignal, span: OpenSpan): Promise<void> {
    const { clock, observer } = this.#port.context;
    const { id } = this.#port.row;
    const startedAtMs = clock.now();
    const isMessage = queued.kind === 'message';
    const waitedMs = isMessage ? startedAtMs - queued.queuedAtMs : null;
    const sequence = isMessage ? queued.inputSequence : null;
    observer.happened(id, { kind: 'turn_started', turn: queued.kind, sequence, waitedMs });
    const end = (result: TurnResult, outcome: TurnOutcome | null, failure: string | null): void => {
      const firstPartAtMs = outcome?.firstPartAtMs ?? null;
      const firstPartMs = firstPartAtMs === null ? null : firstPartAtMs - startedAtMs;
      const ms = clock.now() - startedAtMs;
      observer.happened(id, { kind: 'turn_ended', turn: queued.kind, result, ms, firstPartMs, failure });
    };
    try {
      const turn = queued.kind === 'event' ? queued : await this.#port.readInput(queued);
      const outcome = await this.#answer(turn, signal);
      if (outcome.kind === 'failed') span.failWith(outcome.cause);
      // The session may have ended or been lost while the last text was in flight.
      signal.throwIfAborted();
      if (isWithoutTrace(turn, outcome)) {
        this.#endLater(this.#conclude(turn, outcome), signal);
      } else if (outcome.kind === 'answered' && outcome.next.type === 'continue') {
        // Not awaited for the next message, because the log keeps the order.
        await this.#conclude(turn, outcome);
      } else {
        await this.#port.runExclusive(async () => {
          signal.throwIfAborted();
          await this.#conclude(turn, outcome);
        });
      }
      end(outcome.kind, outcome, outcome.kind === 'failed' ? codeOf(outcome.cause) : null);
    } catch (error) {
      span.fail('aborted');
      end('aborted', null, signal.aborted ? null : codeOf(error));
      this.#discardUnlessOver(error, signal);
    }
  }

  /** The next turn does not wait for this commit, because the log keeps the order and the agent sees nothing of it. */
  #endLater(ending: Promise<void>, signal: AbortSignal): void {
    const ended = ending
      .catch((error: unknown) => this.#discardUnlessOver(error, signal))
      .finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #discardUnlessOver(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted && !isSessionLoss(error)) this.#port.discard(error);
  }

  async #answer(turn: QueuedTurn, signal: AbortSignal): Promise<TurnOutcome> {
    const { context, row, connector, hasAgentJoined } = this.#port;
    const agent = context.agentFor(connector, row.variantId);
    const isJoining = turn.kind === 'greeting' && !hasAgentJoined;
    if (agent === null) return failWithoutAgent(missingAgentOf(connector, row.variantId), isJoining);
    if (!isJoining) this.#port.notify('EVENT_TYPE_AGENT_THINKING');
    const storedState = readState(row.agentState);
    const agentTurn = await this.#toAgentTurn(turn, storedState);
    // Waits that ended meanwhile get their turns after this one.
    this.#addEndedWaits();
    return await runTurn({
      agent,
      turn: agentTurn,
      storedState,
      signal,
      agentSignal: this.#agentController.signal,
      clock: context.clock,
      timeouts: context.limits,
      isStreaming: row.streaming,
      isJoining,
      onJoined: () => this.#join(agent, signal),
      append: this.#appendTo(turn, signal),
      onFailure: (what, error) => this.#port.report(what, error),
      onWait: async (wait) => {
        await this.waits.open(wait);
        this.#addEndedWaits();
      },
    });
  }

  async #join(agent: Agent, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.#port.append([agentJoined(agent)], { session: { state: 'active' } });
    this.#port.notify('EVENT_TYPE_AGENT_THINKING');
  }

  /** Stores parts of the answer, and with the first one that the answer began, so that a new owner sees it. */
  #appendTo(
    turn: QueuedTurn,
    signal: AbortSignal,
  ): (drafts: readonly EventDraft[], messageId: string) => Promise<void> {
    let isOnRecord = false;
    return async (drafts, messageId) => {
      signal.throwIfAborted();
      const isAnswer = drafts.some(({ type }) => type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK');
      const isFirst = isAnswer && !isOnRecord;
      isOnRecord ||= isFirst;
      if (isFirst) this.#answerId = messageId;
      const begun = isFirst ? begunEffects(turn, messageId, this.#port.context.clock.now()) : undefined;
      await this.#port.append(drafts, withLanguage(drafts, begun));
    };
  }

  async #toAgentTurn(turn: QueuedTurn, storedState: AgentTurn['state']): Promise<Omit<AgentTurn, 'signal'>> {
    const externalEvents = await this.waits.show();
    const { row } = this.#port;
    const pageContext = turn.kind === 'event' ? undefined : pageContextOf(turn.custom);
    const before = turn.kind === 'event' ? Number.POSITIVE_INFINITY : turn.inputSequence;
    return {
      kind: turn.kind,
      text: turn.kind === 'event' ? '' : turn.text,
      history: this.#port.historyBefore(before),
      language: languageOf(this.#port),
      state: withStateVariables(storedState, { page_context: pageContext }),
      contextVault: row.contextVault ?? {},
      ...(pageContext !== undefined && { pageContext }),
      conversationId: row.conversationId ?? '',
      ...(row.variantId !== '' && { variantId: row.variantId }),
      externalEvents,
      ...(turn.kind === 'event' && { event: turn.event }),
    };
  }

  async #conclude(turn: QueuedTurn, outcome: TurnOutcome): Promise<void> {
    await concludeTurn(this.#port, turn, outcome);
    if (turn.kind === 'event') this.waits.settle(turn.wait);
  }
}

// Memory limit for the inputs of a session's waiting turns. Inputs beyond it stay in the log until their turn.
const MAX_HELD_BYTES = 65_536;

/** Upper bound of the memory that a turn's input takes. */
function bytesOf(turn: QueuedTurn): number {
  if (turn.kind === 'event') return 0;
  const custom = Object.entries(turn.custom ?? {}).reduce(
    (sum, [key, value]) => sum + key.length + value.length,
    0,
  );
  return 2 * (turn.text.length + custom);
}

function withoutInput(turn: QueuedTurn): QueuedTurn {
  return turn.kind === 'event' ? turn : { ...turn, text: '', custom: null, isInLog: true };
}

/** The page's context, without the keys of the client's drafts (MET-4) and extensions (EXT-1). */
function pageContextOf(custom: CustomMap | null): CustomMap | undefined {
  const { client_event_id: _id, local_id: _alias, [EXTENSIONS_KEY]: _names, ...pageContext } = custom ?? {};
  return Object.keys(pageContext).length > 0 ? pageContext : undefined;
}

function readState(stored: unknown): Readonly<Record<string, unknown>> {
  return typeof stored === 'object' && !Array.isArray(stored) ? { ...stored } : {};
}
