import type { AgentTurn } from './agent.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Variables of a conversation from outside the agent; texts only, because they are shown or inserted into prompts. */
export interface ContextVariables {
  /** The integrator's attributes of a chat or of a reserved number. */
  readonly attributes: Variables;
  /** The last context that the visitor's page sent. Unverified: any visitor can write it. */
  readonly page: Variables;
}

/** Variable with the summary that a human agent wrote when they returned the conversation. */
export const HANDOFF_SUMMARY = 'handoff_summary';

/**
 * Adds the platform's variables to a conversation's state; omits `undefined` values. Returns the same
 * object if the state already contains them, so that an unchanged state is not stored again.
 */
export function withStateVariables(state: Variables, added: Variables): Variables {
  const changed = Object.entries(added).filter(
    ([name, value]) => value !== undefined && JSON.stringify(state[name]) !== JSON.stringify(value),
  );
  return changed.length === 0 ? state : { ...state, ...Object.fromEntries(changed) };
}

/** Returns the variables sent with this turn, or else with an earlier turn of the conversation. */
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
 * Returns the public state: without the agent's own memory (names with a leading underscore), and with an empty text
 * for null.
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
