import { steadyClock } from '../../kit/clock.ts';
import type { Agent, AgentAction, AgentHistoryEntry, AgentTurn } from '../agent.ts';
import { textOf } from './judge.ts';

/** The result of a conversation that is not recorded: the agent's last actions and its state. */
export interface Trial {
  readonly actions: readonly AgentAction[];
  readonly stateBefore: AgentTurn['state'];
  /** Language of the conversation after the last answer. */
  readonly language: string;
  /** How long the first word of the last answer took, and all of it; null: it had no words. */
  readonly firstWordMs: number | null;
  readonly answerMs: number;
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
  let firstWordMs: number | null = null;
  let answerMs = 0;
  for (const text of messages) {
    actions = [];
    stateBefore = state;
    firstWordMs = null;
    const startedAtMs = steadyClock.now();
    const turn = { kind: 'message' as const, text, history: [...history], language, state, signal };
    for await (const action of agent.run({ ...turn, contextVault: {}, conversationId: 'trial' })) {
      if (action.type === 'language') language = action.languageCode;
      if (action.type === 'text') firstWordMs ??= steadyClock.now() - startedAtMs;
      actions.push(action);
    }
    answerMs = steadyClock.now() - startedAtMs;
    history.push({ author: 'user', text }, { author: 'agent', text: textOf(actions) });
    state = Object.assign({}, state, ...actions.map((action) => (action.type === 'state' ? action.set : {})));
  }
  return { actions, stateBefore, language, firstWordMs, answerMs };
}
