import {
  type Agent,
  type AgentAction,
  type AgentFailureStage,
  type AgentPatience,
  type AgentTurn,
  isAgentError,
  runAgent,
  systemTextForAgentFailure,
  type TurnFaults,
  type TurnNext,
  TurnProgress,
  type TurnRecord,
  type WaitForEventAction,
} from '../agents/index.ts';
import { AnswerWriter, type EventDraft } from './answer-writer.ts';
import type { Clock } from './clock.ts';
import { createMessageId } from './outgoing.ts';

/** How a turn went. The drafts are not yet stored: the caller stores them together with what follows from them. */
export type TurnOutcome =
  | {
      readonly kind: 'answered';
      readonly drafts: readonly EventDraft[];
      readonly next: TurnNext;
      readonly state: Readonly<Record<string, unknown>>;
      readonly hasChangedState: boolean;
      readonly record: TurnRecord;
      readonly faults: TurnFaults;
      /** The whole text of the answer. */
      readonly said: string;
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
      /** What was said before it failed. */
      readonly said: string;
      readonly firstPartAtMs: number | null;
    };

/** What running a turn needs. */
export interface RunTurnOptions {
  readonly agent: Agent;
  readonly turn: Omit<AgentTurn, 'signal'>;
  /** The state on record, where the turn's own holds more than that. */
  readonly storedState: AgentTurn['state'];
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly patience: AgentPatience;
  readonly isStreaming: boolean;
  /** True for a greeting whose AGENT_JOINED is not yet in the log. Source: JOIN-4. */
  readonly isJoining: boolean;
  /** Called before the agent's first action is carried out: the agent works. */
  readonly onJoined: () => Promise<void>;
  /** Stores a part of the answer in progress; `messageId` is set for parts that belong to it. */
  readonly append: (drafts: readonly EventDraft[], messageId: string | null) => Promise<void>;
  readonly onLanguage: (languageCode: string) => void;
  /** Makes the id valid and begins to wait; a refusal is the agent's failure. */
  readonly onWait: (wait: WaitForEventAction) => Promise<void>;
}

/** Lets the agent answer one turn. Rejects only when storing failed or the turn was taken away. */
export async function runTurn(options: RunTurnOptions): Promise<TurnOutcome> {
  const { agent, turn, clock, signal, patience, isStreaming } = options;
  const messageId = createMessageId();
  const writer = new AnswerWriter({
    messageId,
    isStreaming,
    agentName: agent.name,
    agentAvatarUrl: agent.avatarUrl,
    append: (drafts) => options.append(drafts, messageId),
  });
  const progress = new TurnProgress(turn, options.storedState);
  let isJoining = options.isJoining;
  const storing = createStorageGuard();
  try {
    for await (const action of runAgent(agent, turn, { clock, patience, signal })) {
      if (isJoining) await storing.guard(options.onJoined());
      isJoining = false;
      const { language } = progress;
      progress.note(action, clock.now());
      if (progress.isOver) break;
      if (progress.language !== language) {
        await storing.guard(writer.interject([languageChanged(progress.language)]));
        options.onLanguage(progress.language);
      } else if (action.type === 'wait_for_event') {
        await options.onWait(action);
      } else {
        await storing.guard(writeAction(action, writer));
      }
    }
    if (isJoining) await storing.guard(options.onJoined());
    const endsConversation = progress.next.type === 'end';
    const drafts = await storing.guard(writer.finish({ endsConversation }));
    const { next, state, hasChangedState, record, faults, said, firstPartAtMs } = progress;
    return { kind: 'answered', drafts, next, state, hasChangedState, record, faults, said, firstPartAtMs };
  } catch (cause) {
    await writer.abandon();
    if (storing.hasFailed || signal.aborted) throw cause;
    const stage = isJoining ? 'joining' : writer.hasStarted ? 'streaming' : 'before_answer';
    const text = systemTextForAgentFailure(isAgentError(cause) ? cause.code : 'unavailable', stage);
    const { said, firstPartAtMs } = progress;
    const faults = progress.faultsWith(cause);
    return { kind: 'failed', stage, text, cause, faults, said, firstPartAtMs };
  }
}

/** Writes what the user sees of an action. */
async function writeAction(action: AgentAction, writer: AnswerWriter): Promise<void> {
  if (action.type === 'text') await writer.write(action.text);
  else if (action.type === 'attachment') writer.attach(action.attachment);
  else if (action.type === 'suggestions') writer.suggest(action.suggestions);
  else if (action.type === 'call_action') writer.offerCall(action.callAction);
}

function languageChanged(languageCode: string): EventDraft {
  return { type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: languageCode } };
}

/** Tells a log that refused from an agent that failed: both surface as a rejection in the same loop. */
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
