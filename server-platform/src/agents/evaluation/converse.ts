import { steadyClock } from '../../kit/clock.ts';
import type { Agent, AgentAction, AgentHistoryEntry, AgentTurn } from '../agent.ts';
import { textOf } from './judge.ts';

/** One answer of a {@link Trial}. */
export interface TrialTurn {
  readonly actions: readonly AgentAction[];
  /** Time to the first text; null: there was none. */
  readonly firstWordMs: number | null;
  readonly answerMs: number;
}

/** The result of a conversation that is not recorded. */
export interface Trial {
  readonly turns: readonly TrialTurn[];
  /** The agent's last actions, and its state before them. */
  readonly actions: readonly AgentAction[];
  readonly stateBefore: AgentTurn['state'];
  /** Language of the conversation after the last answer. */
  readonly language: string;
}

/** Lets an agent answer messages one after the other, from the beginning of a conversation. Rejects with its errors. */
export async function converse(
  agent: Agent,
  messages: readonly string[],
  { language: first, signal }: Pick<AgentTurn, 'language' | 'signal'>,
): Promise<Trial> {
  let language = first;
  const history: AgentHistoryEntry[] = [];
  let state: AgentTurn['state'] = {};
  let stateBefore = state;
  let actions: AgentAction[] = [];
  const turns: TrialTurn[] = [];
  for (const text of messages) {
    actions = [];
    stateBefore = state;
    let firstWordMs: number | null = null;
    const startedAtMs = steadyClock.now();
    const turn = { kind: 'message' as const, text, history: [...history], language, state, signal };
    for await (const action of agent.run({ ...turn, contextVault: {}, conversationId: 'trial' })) {
      if (action.type === 'language') language = action.languageCode;
      if (action.type === 'text') firstWordMs ??= steadyClock.now() - startedAtMs;
      actions.push(action);
    }
    turns.push({ actions, firstWordMs, answerMs: steadyClock.now() - startedAtMs });
    history.push({ author: 'user', text }, { author: 'agent', text: textOf(actions) });
    state = Object.assign({}, state, ...actions.map((action) => (action.type === 'state' ? action.set : {})));
  }
  return { turns, actions, stateBefore, language };
}
