import type { AgentTurn } from './agent.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Facts about a conversation that come from outside the agent; texts only, as they are shown or put into a prompt. */
export interface GivenFacts {
  /** What the integrator gave with the conversation: attributes of a chat or of a reserved number. */
  readonly attributes: Variables;
  /** Facts that the visitor's page sent last. Unverified: any visitor can write them. */
  readonly page: Variables;
}

/**
 * Adds variables that the platform knows to a conversation's state; values of `undefined` are left out. Returns the same
 * object when the state holds them already, so that an unchanged state is not stored again.
 */
export function withGivenState(state: Variables, given: Variables): Variables {
  const changed = Object.entries(given).filter(
    ([name, value]) => value !== undefined && JSON.stringify(state[name]) !== JSON.stringify(value),
  );
  return changed.length === 0 ? state : { ...state, ...Object.fromEntries(changed) };
}

/** The facts that a turn comes with, or that an earlier turn of the conversation came with. */
export function givenFactsOf({ state, integrationAttributes, pageContext }: AgentTurn): GivenFacts {
  return {
    attributes: integrationAttributes ?? variablesIn(state['integration_attributes']),
    page: pageContext ?? variablesIn(state['page_context']),
  };
}

function variablesIn(value: unknown): Variables {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
