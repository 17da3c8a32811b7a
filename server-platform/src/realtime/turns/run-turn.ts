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

/** How a turn went. The drafts are not yet stored: the caller stores them together with what follows from them. */
export type TurnOutcome =
  | {
      readonly kind: 'answered';
      readonly drafts: readonly EventDraft[];
      /** The visitor stopped the answer. Source: EXT-4. */
      readonly isStopped: boolean;
      readonly next: TurnNext;
      readonly state: Readonly<Record<string, unknown>>;
      readonly hasChangedState: boolean;
      readonly record: TurnRecord;
      readonly faults: TurnFaults;
      /** Names the answer. */
      readonly messageId: string;
      /** The whole text of the answer. */
      readonly answerText: string;
      /** When the first part of the answer was there; null when nothing was said. */
      readonly firstPartAtMs: number | null;
    }
  | {
      readonly kind: 'failed';
      readonly stage: AgentFailureStage;
      /** Exact text of 12.1. */
      readonly text: string;
      readonly cause: unknown;
      /** The agent that the project names and the platform does not have, where that is the cause. */
      readonly missingAgent?: string;
      readonly faults: TurnFaults;
      /** Names the answer; left out where no agent was asked. */
      readonly messageId?: string;
      /** The part of the answer before it failed. */
      readonly answerText: string;
      readonly firstPartAtMs: number | null;
    };

/** What running a turn needs. */
export interface RunTurnOptions {
  readonly agent: Agent;
  readonly turn: Omit<AgentTurn, 'signal'>;
  /** The state on record, where the turn's own holds more than that. */
  readonly storedState: AgentTurn['state'];
  readonly signal: AbortSignal;
  /** Aborted with `signal`, and when the visitor stops the answer: it ends with the text so far. Source: EXT-4. */
  readonly agentSignal: AbortSignal;
  readonly clock: Clock;
  readonly timeouts: AgentTimeouts;
  readonly isStreaming: boolean;
  /** True for a greeting whose AGENT_JOINED is not yet in the log. Source: JOIN-4. */
  readonly isJoining: boolean;
  /** Called before the agent's first action is carried out: the agent works. */
  readonly onJoined: () => Promise<void>;
  /** Stores a part of the answer `messageId`. */
  readonly append: (drafts: readonly EventDraft[], messageId: string) => Promise<void>;
  /** Makes the id valid and begins to wait; a refusal is the agent's failure. */
  readonly onWait: (wait: WaitForEventAction) => Promise<void>;
  /** Reports to the operator what failed without keeping the agent from answering. */
  readonly onFailure: (what: string, error: Error) => void;
}

/** Lets the agent answer one turn. Rejects only when storing failed or the turn was taken away. */
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
  const told = { record, faults, answerText, firstPartAtMs };
  return { kind: 'answered', ...answer, next, state, hasChangedState, ...told };
}

/** Writes what the user sees of an action. */
async function writeAction(action: AgentAction, stream: AnswerStream): Promise<void> {
  if (action.type === 'text') await stream.write(action.text);
  else if (action.type === 'attachment') stream.attach(action.attachment);
  else if (action.type === 'suggestions') stream.suggest(action.suggestions);
  else if (action.type === 'call_action') stream.offerCall(action.callAction);
}

function languageChanged(languageCode: string): EventDraft {
  return { type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: languageCode } };
}

/** Distinguishes a rejecting log from a failing agent: both surface as a rejection in the same loop. */
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
