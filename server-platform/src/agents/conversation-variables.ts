import type { AgentTurn } from './agent.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Facts about a conversation that come from outside the agent; texts only, as they are shown or put into a prompt. */
export interface ContextVariables {
  /** What the integrator gave with the conversation: attributes of a chat or of a reserved number. */
  readonly attributes: Variables;
  /** Facts that the visitor's page sent last. Unverified: any visitor can write them. */
  readonly page: Variables;
}

/** The variable with the summary that a person of the team wrote for the agent when they returned the conversation. */
export const HANDOFF_SUMMARY = 'handoff_summary';

/**
 * Adds variables that the platform knows to a conversation's state; values of `undefined` are left out. Returns the same
 * object when the state holds them already, so that an unchanged state is not stored again.
 */
export function withStateVariables(state: Variables, added: Variables): Variables {
  const changed = Object.entries(added).filter(
    ([name, value]) => value !== undefined && JSON.stringify(state[name]) !== JSON.stringify(value),
  );
  return changed.length === 0 ? state : { ...state, ...Object.fromEntries(changed) };
}

/** The facts sent with this turn, or else with an earlier turn of the conversation. */
export function contextVariablesOf({
  state,
  integrationAttributes,
  pageContext,
}: AgentTurn): ContextVariables {
  return {
    attributes: integrationAttributes ?? variablesIn(state['integration_attributes']),
    page: pageContext ?? variablesIn(state['page_context']),
  };
}

function variablesIn(value: unknown): Variables {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/**
 * The state that others see: without the agent's own memory, which are the names that begin with an underscore, and without
 * null, which is an empty text there.
 */
export function publicState(state: unknown): Variables {
  return Object.fromEntries(
    Object.entries(variablesIn(state))
      .filter(([name]) => !name.startsWith('_'))
      .map(([name, value]) => [name, withoutNull(value)]),
  );
}

function withoutNull(value: unknown): unknown {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutNull(each)]));
}
