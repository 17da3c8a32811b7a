import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Agent, AgentAction, AgentHistoryEntry } from '../agent.ts';
import type { AgentClock } from '../agent-clock.ts';
import type { AgentConfig } from '../agent-config.ts';
import { createAgent } from '../create-agent.ts';
import type { EvalConversation } from './conversation.ts';
import { judge, textOf } from './judge.ts';

/** How one conversation ended. */
export interface EvalOutcome {
  readonly conversation: EvalConversation;
  readonly answer: string;
  /** Empty: passed. */
  readonly problems: readonly string[];
}

const FOLDER = fileURLToPath(new URL('../../../knowledge/kittiwake', import.meta.url));

/** The demo company's agent, as the demo configures it. */
export function kittiwakeConfig(): AgentConfig {
  return {
    ...JSON.parse(readFileSync(`${FOLDER}/agent.json`, 'utf8')),
    kind: 'knowledge',
    knowledgeFolder: FOLDER,
    helpBaseUrl: 'https://kittiwake.example/help',
    pacing: { minMs: 0, maxMs: 0 },
  };
}

/** A clock that tests set; nothing waits. */
class EvalClock implements AgentClock {
  nowMs = 0;
  now(): number {
    return this.nowMs;
  }
  setTimer(callback: () => void): () => void {
    callback();
    return () => {};
  }
}

/** A Tuesday in the summer timetable. */
const DEFAULT_NOW = '2026-07-14T09:20';

/** Runs conversations, each from its beginning, and judges their last answers. */
export type Evaluate = (
  conversations: readonly EvalConversation[],
  now?: string,
) => Promise<readonly EvalOutcome[]>;

/** Prepares an agent, the demo company's unless another is given, for evaluation. */
export async function createEvaluation(config: AgentConfig = kittiwakeConfig()): Promise<Evaluate> {
  const clock = new EvalClock();
  const agent = await createAgent(config, { clock });
  return async (conversations, now = DEFAULT_NOW) => {
    const outcomes: EvalOutcome[] = [];
    for (const conversation of conversations) {
      clock.nowMs = londonTimeMs(conversation.now ?? now);
      const actions = await converse(agent, conversation);
      outcomes.push({ conversation, answer: textOf(actions), problems: judge(conversation, actions) });
    }
    return outcomes;
  };
}

/** The moment at which clocks in the company's time zone show `local`. */
function londonTimeMs(local: string): number {
  const asUtc = Date.parse(`${local}:00Z`);
  const shown = new Date(asUtc).toLocaleString('sv-SE', { timeZone: 'Europe/London' });
  return asUtc - (Date.parse(`${shown.replace(' ', 'T')}Z`) - asUtc);
}

async function converse(agent: Agent, { say, language }: EvalConversation): Promise<readonly AgentAction[]> {
  const history: AgentHistoryEntry[] = [];
  let state: Readonly<Record<string, unknown>> = {};
  let actions: AgentAction[] = [];
  for (const text of say) {
    actions = [];
    const turn = { kind: 'message' as const, text, history: [...history], language, state };
    const others = { contextVault: {}, conversationId: 'eval', signal: new AbortController().signal };
    for await (const action of agent.run({ ...turn, ...others })) actions.push(action);
    history.push({ author: 'user', text }, { author: 'agent', text: textOf(actions) });
    state = Object.assign({}, state, ...actions.map((action) => (action.type === 'state' ? action.set : {})));
  }
  return actions;
}
