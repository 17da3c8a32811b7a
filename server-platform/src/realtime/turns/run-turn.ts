import {
  type Agent,
  type AgentAction,
  type AgentFailureStage,
  type AgentTimeouts,
  type AgentTurn,
  isAgentError,
  runAgent,
  systemTextForAgentFailure,
  type TurnFaults,
  type TurnNext,
  TurnProgress,
  type TurnRecord,
  type WaitForEventAction,
} from '../../agents/index.ts';
import { createMessageId } from '../../db/ids/index.ts';
import type { Clock } from '../../kit/clock.ts';
import type { EventDraft } from '../conversation/index.ts';
import { AnswerStream } from './answer-stream.ts';

/** Result of a turn. The drafts are not stored yet: the caller stores them with their consequences. */
export type TurnOutcome =
  | {
      readonly kind: 'answered';
      readonly drafts: readonly EventDraft[];
      /** Whether the visitor stopped the answer. Source: EXT-4. */
      readonly isStopped: boolean;
      readonly next: TurnNext;
      readonly state: Readonly<Record<string, unknown>>;
      readonly hasChangedState: boolean;
      readonly record: TurnRecord;
      readonly faults: TurnFaults;
      /** Id of the answer. */
      readonly messageId: string;
      /** The whole text of the answer. */
      readonly answerText: string;
      /** When the first part of the answer arrived; null for an empty answer. */
      readonly firstPartAtMs: number | null;
    }
  | {
      readonly kind: 'failed';
      readonly stage: AgentFailureStage;
      /** Exact text of 12.1. */
      readonly text: string;
      readonly cause: unknown;
      /** Name of the project's agent if the platform lacks it and that caused the failure. */
      readonly missingAgent?: string;
      readonly faults: TurnFaults;
      /** Id of the answer; absent if no agent was called. */
      readonly messageId?: string;
      /** Text of the answer before the failure. */
      readonly answerText: string;
      readonly firstPartAtMs: number | null;
    };

/** Options of {@link runTurn}. */
export interface RunTurnOptions {
  readonly agent: Agent;
  readonly turn: Omit<AgentTurn, 'signal'>;
  /** The stored state, if the turn's state has additional fields. */
  readonly storedState: AgentTurn['state'];
  readonly signal: AbortSignal;
  /**
   * Aborted with `signal`, and when the visitor stops the answer, which then ends with the text so far. Source: EXT-4.
   */
  readonly agentSignal: AbortSignal;
  readonly clock: Clock;
  readonly timeouts: AgentTimeouts;
  readonly isStreaming: boolean;
  /** True for a greeting whose AGENT_JOINED is not yet in the log. Source: JOIN-4. */
  readonly isJoining: boolean;
  /** Called before the agent's first action is executed: the agent has started. */
  readonly onJoined: () => Promise<void>;
  /** Stores part of the answer `messageId`. */
  readonly append: (drafts: readonly EventDraft[], messageId: string) => Promise<void>;
  /** Stores the event id and starts waiting; a rejection counts as the agent's failure. */
  readonly onWait: (wait: WaitForEventAction) => Promise<void>;
  /** Reports failures that did not prevent the answer. */
  readonly onFailure: (what: string, error: Error) => void;
}

/** Runs one turn of the agent. Rejects only when storing failed or the turn was aborted. */
export async function runTurn(options: RunTurnOptions): Promise<TurnOutcome> {
  const { agent, turn, clock, signal, agentSignal, timeouts, isStreaming } = options;
  const messageId = createMessageId();
  const stream = new AnswerStream({
    messageId,
    isStreaming,
    agentName: agent.name,
    agentAvatarUrl: agent.avatarUrl,
    append: (drafts) => options.append(drafts, messageId),
  });
  const progress = new TurnProgress(turn, options.storedState, options.onFailure);
  let isJoining = options.isJoining;
  const storing = createStorageGuard();
  try {
    for await (const action of runAgent(agent, turn, { clock, timeouts, signal: agentSignal })) {
      if (isJoining) await storing.guard(options.onJoined());
      isJoining = false;
      const { language } = progress;
      progress.note(action, clock.now());
      if (progress.isOver) break;
      if (progress.language !== language) {
        await storing.guard(stream.insertEvents([languageChanged(progress.language)]));
      } else if (action.type === 'wait_for_event') {
        await options.onWait(action);
      } else {
        await storing.guard(writeAction(action, stream));
      }
    }
    if (isJoining) await storing.guard(options.onJoined());
    const endsConversation = progress.next.type === 'end';
    const drafts = await storing.guard(stream.finish({ endsConversation }));
    return toAnswered(progress, { messageId, drafts, isStopped: false });
  } catch (cause) {
    if (agentSignal.aborted && !signal.aborted && !storing.hasFailed) {
      const drafts = await stream.finish({ endsConversation: false, isStopped: true });
      return toAnswered(progress, { messageId, drafts, isStopped: true });
    }
    await stream.abort();
    if (storing.hasFailed || signal.aborted) throw cause;
    const stage = isJoining ? 'joining' : stream.hasStarted ? 'streaming' : 'before_answer';
    const text = systemTextForAgentFailure(isAgentError(cause) ? cause.code : 'unavailable', stage);
    const { answerText, firstPartAtMs } = progress;
    const faults = progress.faultsWith(cause);
    return { kind: 'failed', stage, text, cause, faults, messageId, answerText, firstPartAtMs };
  }
}

function toAnswered(
  progress: TurnProgress,
  answer: Pick<Extract<TurnOutcome, { readonly kind: 'answered' }>, 'messageId' | 'drafts' | 'isStopped'>,
): TurnOutcome {
  const { next, state, hasChangedState, record, faults, answerText, firstPartAtMs } = progress;
  const summary = { record, faults, answerText, firstPartAtMs };
  return { kind: 'answered', ...answer, next, state, hasChangedState, ...summary };
}

/** Writes the visible part of an action. */
async function writeAction(action: AgentAction, stream: AnswerStream): Promise<void> {
  if (action.type === 'text') await stream.write(action.text);
  else if (action.type === 'attachment') stream.attach(action.attachment);
  else if (action.type === 'suggestions') stream.suggest(action.suggestions);
  else if (action.type === 'call_action') stream.offerCall(action.callAction);
}

function languageChanged(languageCode: string): EventDraft {
  return { type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: languageCode } };
}

/** Distinguishes a rejecting log from a failing agent, because both reject in the same loop. */
function createStorageGuard(): { readonly hasFailed: boolean; guard<T>(work: Promise<T>): Promise<T> } {
  let hasFailed = false;
  return {
    get hasFailed() {
      return hasFailed;
    },
    async guard(work) {
      try {
        return await work;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
  };
}
