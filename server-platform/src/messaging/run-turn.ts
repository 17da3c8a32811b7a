import {
  type Agent,
  type AgentAction,
  type AgentFailureStage,
  type AgentTurn,
  type HandoffAction,
  isAgentError,
  systemTextForAgentFailure,
  type WaitForEventAction,
} from '../agents/index.ts';
import { AnswerWriter, type EventDraft } from './answer-writer.ts';
import type { Clock } from './clock.ts';
import { createMessageId } from './outgoing.ts';
import { type AgentPatience, runAgent } from './run-agent.ts';

/** What a turn reports besides its answer; stored with the turn. */
export interface TurnRecord {
  readonly intents: readonly string[];
  readonly metrics: Readonly<Record<string, string | number | boolean>>;
}

/** How a turn went. The drafts are not yet stored: the caller stores them together with what follows from them. */
export type TurnOutcome =
  | {
      readonly kind: 'answered';
      readonly drafts: readonly EventDraft[];
      readonly next: { readonly type: 'continue' } | { readonly type: 'end' } | HandoffAction;
      readonly state: Readonly<Record<string, unknown>>;
      readonly hasChangedState: boolean;
      readonly waits: readonly WaitForEventAction[];
      readonly record: TurnRecord;
      /** When the first part of the answer was there; null when nothing was said. */
      readonly firstPartAtMs: number | null;
    }
  | {
      readonly kind: 'failed';
      readonly stage: AgentFailureStage;
      /** Exact text of 12.1. */
      readonly text: string;
      readonly cause: unknown;
    };

/** What running a turn needs. */
export interface RunTurnOptions {
  readonly agent: Agent;
  readonly turn: Omit<AgentTurn, 'signal'>;
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
  const progress = new TurnProgress(turn);
  let isJoining = options.isJoining;
  const storing = createStorageGuard();
  try {
    for await (const action of runAgent(agent, turn, { clock, patience, signal })) {
      if (isJoining) await storing.guard(options.onJoined());
      isJoining = false;
      if (action.type === 'language') {
        if (action.languageCode !== progress.language) {
          await storing.guard(writer.interject([languageChanged(action.languageCode)]));
          options.onLanguage(action.languageCode);
        }
        progress.language = action.languageCode;
      } else if (action.type === 'handoff' || action.type === 'end') {
        progress.next = action;
        break;
      } else {
        await storing.guard(applyAction(action, writer, progress, clock.now()));
      }
    }
    if (isJoining) await storing.guard(options.onJoined());
    const endsConversation = progress.next.type === 'end';
    const drafts = await storing.guard(writer.finish({ endsConversation }));
    const { next, state, waits, record, firstPartAtMs } = progress;
    const hasChangedState = state !== turn.state;
    return { kind: 'answered', drafts, next, state, hasChangedState, waits, record, firstPartAtMs };
  } catch (cause) {
    await writer.abandon();
    if (storing.hasFailed || signal.aborted) throw cause;
    const stage = isJoining ? 'joining' : writer.hasStarted ? 'streaming' : 'before_answer';
    const text = systemTextForAgentFailure(isAgentError(cause) ? cause.code : 'unavailable', stage);
    return { kind: 'failed', stage, text, cause };
  }
}

/** What gathers during a turn. */
class TurnProgress {
  readonly waits: WaitForEventAction[] = [];
  readonly record: { intents: string[]; metrics: Record<string, string | number | boolean> } = {
    intents: [],
    metrics: {},
  };
  state: Readonly<Record<string, unknown>>;
  language: string;
  next: { readonly type: 'continue' } | { readonly type: 'end' } | HandoffAction = { type: 'continue' };
  firstPartAtMs: number | null = null;

  constructor(turn: Pick<AgentTurn, 'state' | 'language'>) {
    this.state = turn.state;
    this.language = turn.language;
  }
}

async function applyAction(
  action: Exclude<AgentAction, { readonly type: 'language' | 'handoff' | 'end' }>,
  writer: AnswerWriter,
  progress: TurnProgress,
  nowMs: number,
): Promise<void> {
  switch (action.type) {
    case 'text':
      if (action.text !== '') progress.firstPartAtMs ??= nowMs;
      await writer.write(action.text);
      break;
    case 'attachment':
      progress.firstPartAtMs ??= nowMs;
      writer.attach(action.attachment);
      break;
    case 'suggestions':
      writer.suggest(action.suggestions);
      break;
    case 'call_action':
      writer.offerCall(action.callAction);
      break;
    case 'state':
      progress.state = mergeState(progress.state, action.set);
      break;
    case 'metric':
      progress.record.metrics[action.name] = action.value;
      break;
    case 'intent':
      progress.record.intents.push(action.name);
      break;
    case 'wait_for_event':
      progress.waits.push(action);
      break;
  }
}

/** Key by key; null removes. */
function mergeState(
  state: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries({ ...state, ...changes }).filter(([, value]) => value !== null));
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
