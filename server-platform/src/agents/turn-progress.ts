import type { AgentAction, AgentTurn, Entities, HandoffAction, WaitForEventAction } from './agent.ts';
import { isAgentError } from './agent-error.ts';

type MetricValue = string | number | boolean;

/** Data that a turn reports besides its answer; stored with the turn. */
export interface TurnRecord {
  readonly intents: readonly string[];
  /** A list for a metric that was written more than once (CV-12). */
  readonly metrics: Readonly<Record<string, MetricValue | readonly MetricValue[]>>;
  readonly entities: Entities;
}

/** Faults of a turn, whether or not it ended with an answer. Alert rules count them (`rest.md`, 9.1). */
export interface TurnFaults {
  /** The agent's service (a model, the customer's server) refused, ended early or did not respond. */
  readonly apiErrors: number;
  /** A function of the agent failed: a tool that could not be run, a fault in its own logic. */
  readonly functionErrors: number;
}

/** The steps after a turn. */
export type TurnNext = { readonly type: 'continue' } | { readonly type: 'end' } | HandoffAction;

/** Values collected during a turn, in every channel. */
export class TurnProgress {
  readonly #before: Readonly<Record<string, unknown>>;
  readonly waits: WaitForEventAction[] = [];
  readonly record: {
    intents: string[];
    metrics: Record<string, MetricValue | readonly MetricValue[]>;
    entities: Record<string, string | readonly string[]>;
  } = { intents: [], metrics: {}, entities: {} };
  state: Readonly<Record<string, unknown>>;
  language: string;
  #functionErrors = 0;
  #apiErrors = 0;
  next: TurnNext = { type: 'continue' };
  answerText = '';
  /** Time of the answer's first part; null before it. */
  firstPartAtMs: number | null = null;

  readonly #onFailure: ReportFailure;

  /** `storedState` is the state on record, where the turn's own holds more than that. */
  constructor(
    turn: Pick<AgentTurn, 'state' | 'language'>,
    storedState: AgentTurn['state'] = turn.state,
    onFailure: ReportFailure,
  ) {
    this.#onFailure = onFailure;
    this.#before = storedState;
    this.state = turn.state;
    this.language = turn.language;
  }

  get hasChangedState(): boolean {
    return this.state !== this.#before;
  }

  /** Failures after which the agent could still answer. */
  get faults(): TurnFaults {
    return { apiErrors: this.#apiErrors, functionErrors: this.#functionErrors };
  }

  /** Fault of a failed turn by the thrown value: the agent's own error, or a fault in its logic. */
  faultsWith(cause: unknown): TurnFaults {
    const { apiErrors, functionErrors } = this.faults;
    return isAgentError(cause)
      ? { apiErrors: apiErrors + 1, functionErrors }
      : { apiErrors, functionErrors: functionErrors + 1 };
  }

  /** True after an action that nothing of the same turn may follow. */
  get isOver(): boolean {
    return this.next.type !== 'continue';
  }

  /** A state that would be too large stays unchanged: this counts as a failure of the agent, and the turn continues. */
  #mergeState(changes: Readonly<Record<string, unknown>>): void {
    const merged = mergeState(this.state, changes);
    if (JSON.stringify(merged).length <= MAX_STATE_CHARACTERS) {
      this.state = merged;
      return;
    }
    this.#functionErrors += 1;
    const error = new Error('The state exceeds 64 kB. Let the agent store less.');
    this.#onFailure('store the state of an agent', error);
  }

  /** Records the effect of an action on the turn. The channel delivers the action to the user. */
  note(action: AgentAction, nowMs: number): void {
    switch (action.type) {
      case 'text':
        if (action.text !== '') this.firstPartAtMs ??= nowMs;
        this.answerText += action.text;
        break;
      case 'attachment':
        this.firstPartAtMs ??= nowMs;
        break;
      case 'language':
        this.language = action.languageCode;
        break;
      case 'state':
        this.#mergeState(action.set);
        break;
      case 'metric':
        addMetric(this.record.metrics, action.name, action.value);
        break;
      case 'intent':
        this.record.intents.push(action.name);
        break;
      case 'entities':
        mergeEntities(this.record.entities, action.found);
        break;
      case 'function_error':
        this.#functionErrors += 1;
        break;
      case 'api_error':
        this.#apiErrors += 1;
        break;
      case 'wait_for_event':
        this.waits.push(action);
        break;
      case 'handoff':
      case 'end':
        this.next = action;
        break;
      case 'suggestions':
      case 'call_action':
        break;
    }
  }
}

/** Reports a failure after which the agent could still answer. */
type ReportFailure = (what: string, error: Error) => void;

// Every turn reads it, each turn that changes it keeps it on record, and a node holds it of each open session.
const MAX_STATE_CHARACTERS = 65_536;

function addMetric(
  metrics: Record<string, MetricValue | readonly MetricValue[]>,
  name: string,
  value: MetricValue,
): void {
  const earlier = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  metrics[name] = earlier === undefined ? value : [earlier, value].flat();
}

/** Merges entities: a kind that occurs again keeps its earlier values, without repeats (CV-16). */
function mergeEntities(entities: Record<string, string | readonly string[]>, found: Entities): void {
  for (const [kind, values] of Object.entries(found)) {
    const all = [...new Set([entities[kind] ?? [], values].flat())];
    const [first] = all;
    if (first !== undefined) entities[kind] = all.length === 1 ? first : all;
  }
}

/** Key by key; null removes. */
function mergeState(
  state: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries({ ...state, ...changes }).filter(([, value]) => value !== null));
}
