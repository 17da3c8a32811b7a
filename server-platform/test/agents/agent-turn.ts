import type { Agent, AgentAction, AgentTurn } from '../../src/agents/agent.ts';

/** A turn in which a user of a fresh conversation writes `text`, with the test's overrides. */
export function messageTurn(text: string, overrides: Partial<AgentTurn> = {}): AgentTurn {
  return {
    kind: 'message',
    text,
    history: [],
    language: 'en',
    state: {},
    contextVault: {},
    conversationId: 'conversation-1',
    signal: new AbortController().signal,
    ...overrides,
  };
}

/** Everything an agent does in a turn. */
export async function actionsOf(agent: Agent, turn: AgentTurn): Promise<readonly AgentAction[]> {
  const actions: AgentAction[] = [];
  for await (const action of agent.run(turn)) actions.push(action);
  return actions;
}

/** The message of a turn: its texts joined. */
export function textOf(actions: readonly AgentAction[]): string {
  return actions.map((action) => (action.type === 'text' ? action.text : '')).join('');
}

/** The state after a turn. */
export function stateAfter(
  state: Readonly<Record<string, unknown>>,
  actions: readonly AgentAction[],
): Readonly<Record<string, unknown>> {
  const sets = actions.flatMap((action) => (action.type === 'state' ? [action.set] : []));
  return Object.assign({}, state, ...sets);
}
