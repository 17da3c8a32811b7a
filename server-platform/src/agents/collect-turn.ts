import type {
  Agent,
  AgentAttachment,
  AgentCallAction,
  AgentSuggestion,
  AgentTurn,
  WaitForEventAction,
} from './agent.ts';
import type { AgentClock } from './agent-clock.ts';
import { type AgentErrorCode, type AgentFailureStage, isAgentError } from './agent-error.ts';
import { type AgentTimeouts, runAgent } from './run-agent.ts';
import { type TurnFaults, type TurnNext, TurnProgress, type TurnRecord } from './turn-progress.ts';

/** A complete turn, for channels that answer in one piece. */
export type CollectedTurn = CollectedAnswer | CollectedFailure;

/** The agent answered. */
export interface CollectedAnswer {
  readonly kind: 'answered';
  /** The whole text, possibly empty. */
  readonly answerText: string;
  readonly attachments: readonly AgentAttachment[];
  readonly suggestions: readonly AgentSuggestion[];
  readonly callActions: readonly AgentCallAction[];
  /** The conversation continues in this language. */
  readonly language: string;
  /** The agent's new state. */
  readonly state: Readonly<Record<string, unknown>>;
  readonly hasChangedState: boolean;
  readonly waits: readonly WaitForEventAction[];
  readonly record: TurnRecord;
  readonly faults: TurnFaults;
  /** Whether the conversation continues, ends, or is handed to a person. */
  readonly next: TurnNext;
  /** Time of the answer's first part; null for an empty answer. */
  readonly firstPartAtMs: number | null;
}

/** The agent could not answer, or ended early. Its state changes are discarded. */
export interface CollectedFailure {
  readonly kind: 'failed';
  readonly stage: Exclude<AgentFailureStage, 'joining'>;
  readonly code: AgentErrorCode;
  readonly cause: unknown;
  readonly faults: TurnFaults;
  /** Text sent before the failure. */
  readonly answerText: string;
  readonly firstPartAtMs: number | null;
}

/** Dependencies of running a turn. */
export interface CollectTurnOptions {
  readonly agent: Agent;
  readonly turn: Omit<AgentTurn, 'signal'>;
  /** The recorded state, if the turn's state contains more. */
  readonly storedState?: AgentTurn['state'];
  readonly clock: AgentClock;
  readonly timeouts: AgentTimeouts;
  readonly signal: AbortSignal;
  /** Reports failures to the operator after which the agent could still answer. */
  readonly onFailure: (what: string, error: Error) => void;
}

/**
 * Lets the agent answer one turn and gathers all of it: text, attachments, suggestions, call actions, state, and what
 * follows. A failing agent is an outcome. Rejects only with the signal's reason, when the turn was taken away.
 *
 * @example
 * const turn = await collectTurn({ agent, turn: { kind: 'message', text, … }, clock, timeouts, signal });
 * if (turn.kind === 'answered' && turn.next.type === 'handoff') …
 */
export async function collectTurn(options: CollectTurnOptions): Promise<CollectedTurn> {
  const { agent, turn, clock, timeouts, signal } = options;
  const progress = new TurnProgress(turn, options.storedState, options.onFailure);
  const attachments: AgentAttachment[] = [];
  const suggestions: AgentSuggestion[] = [];
  const callActions: AgentCallAction[] = [];
  try {
    for await (const action of runAgent(agent, turn, { clock, timeouts, signal })) {
      progress.note(action, clock.now());
      if (action.type === 'attachment') attachments.push(action.attachment);
      else if (action.type === 'suggestions') suggestions.push(...action.suggestions);
      else if (action.type === 'call_action') callActions.push(action.callAction);
      if (progress.isOver) break;
    }
  } catch (cause) {
    signal.throwIfAborted();
    const { answerText, firstPartAtMs } = progress;
    const stage = answerText === '' ? 'before_answer' : 'streaming';
    const code = isAgentError(cause) ? cause.code : 'unavailable';
    const faults = progress.faultsWith(cause);
    return { kind: 'failed', stage, code, cause, faults, answerText, firstPartAtMs };
  }
  const { answerText, language, state, hasChangedState, waits, record, faults, next, firstPartAtMs } =
    progress;
  const lists = { attachments, suggestions, callActions };
  return {
    kind: 'answered',
    answerText,
    ...lists,
    language,
    state,
    hasChangedState,
    waits,
    record,
    faults,
    next,
    firstPartAtMs,
  };
}
