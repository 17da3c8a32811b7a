import { lazy } from '../../kit/lazy.ts';
import type { AgentClock } from '../agent-clock.ts';
import { systemAgentClock } from '../agent-clock.ts';
import type { Article } from '../articles/passages/article.ts';
import type { AgentSource } from '../create-agent.ts';
import { converse, type Trial } from './converse.ts';
import { judge, judgeModel, textOf } from './judge.ts';
import type { EvalConversation } from './load-conversations.ts';

/** Result of one evaluated conversation. */
export interface EvalOutcome {
  readonly conversation: EvalConversation;
  readonly answer: string;
  /** Empty: passed. */
  readonly problems: readonly string[];
  /** The last turn; null: the agent failed. */
  readonly trial: Trial | null;
}

/** A Tuesday in the summer. */
const DEFAULT_NOW = '2026-07-14T09:20';

/** Runs one conversation and judges its last answer. A failing agent does not pass. */
export type Evaluate = (conversation: EvalConversation, signal?: AbortSignal) => Promise<EvalOutcome>;

/** Prepares an agent with these articles for evaluation. Its clock shows the time that each conversation sets. */
export function createEvaluation(
  source: AgentSource,
  articles: readonly Article[] = source.articles,
  now: string = DEFAULT_NOW,
): Evaluate {
  let nowMs = 0;
  const isModel = source.config.kind === 'llm';
  const clock: AgentClock = {
    now: () => nowMs,
    setTimer: (callback, delayMs) =>
      // An embedded agent only waits for its pacing; a model has time limits.
      isModel ? systemAgentClock.setTimer(callback, delayMs) : runAtOnce(callback),
  };
  let failure: string | null = null;
  const onFailure = (_what: string, error: unknown): void => {
    failure = error instanceof Error ? error.message : String(error);
  };
  const built = lazy(() => source.build(articles, { clock, onFailure }));
  return async (conversation, signal = new AbortController().signal) => {
    failure = null;
    nowMs = readLocalTime(conversation.now ?? now, source.config.timeZone);
    try {
      const { language, say } = conversation;
      const { agent } = await built();
      const trial = await converse(agent, say, { language, signal });
      const { actions } = trial;
      const problems = (isModel ? judgeModel : judge)(conversation, actions);
      const failed = failure === null ? [] : [`failed: ${failure}`];
      return { conversation, answer: textOf(actions), problems: [...problems, ...failed], trial };
    } catch (error) {
      signal.throwIfAborted();
      const problem = `failed: ${error instanceof Error ? error.message : String(error)}`;
      return { conversation, answer: '', problems: [problem], trial: null };
    }
  };
}

function runAtOnce(callback: () => void): () => void {
  callback();
  return () => {};
}

/** The moment at which clocks in a time zone show `local`. */
function readLocalTime(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}:00Z`);
  const shown = new Date(asUtc).toLocaleString('sv-SE', { timeZone });
  return asUtc - (Date.parse(`${shown.replace(' ', 'T')}Z`) - asUtc);
}
