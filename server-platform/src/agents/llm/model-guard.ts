import type { AgentTurn } from '../agent.ts';
import type { TokenUsage } from './chat-protocol.ts';
import type { ModelLimits, ModelPrices } from './llm-agent-config.ts';

/** Tokens and money that a model's answers have used. */
export interface Spending {
  readonly tokens: number;
  /** In the currency of the prices; 0 without prices. */
  readonly cost: number;
}

/** Keeps what a project spends on a day, for all nodes. Rejects when the database cannot be asked. */
export interface SpendingStore {
  read(projectId: string, day: number): Promise<Spending>;
  /** Adds to it, and resolves with the sum. */
  add(projectId: string, day: number, spent: Spending): Promise<Spending>;
}

/** Why a model is not asked. */
export type GuardRefusal =
  | 'conversation_tokens'
  | 'project_tokens'
  | 'conversation_cost'
  | 'project_cost'
  | 'endpoint_away';

// After five failures in a row the question is not the cause. Visitors are answered without it for half a minute each time.
const MAX_FAILURES = 5;
const AWAY_MS = 30_000;

/** The agent's own memory of what a conversation has taken. */
const TOKENS_KEY = '_llm_tokens';
const COST_KEY = '_llm_cost';

const NOTHING: Spending = { tokens: 0, cost: 0 };

/**
 * Keeps an agent from a model that is away, and within its limits of tokens and money. After five failures in a row the
 * model is asked by one turn every 30 seconds, until that succeeds.
 */
export class ModelGuard {
  readonly #limits: ModelLimits;
  #failures = 0;
  #closedUntilMs = 0;
  #day = Number.NaN;
  readonly #spentByProject = new Map<string, Spending>();
  /** Projects whose used up limits were reported today. */
  readonly #reported = new Set<string>();

  constructor(limits: ModelLimits) {
    this.#limits = limits;
  }

  /**
   * Why the model is not asked in a turn, or null. `day` is a number that each day has alone; `store` keeps the sums of the
   * day beyond this node, and rejections of it reach the caller.
   */
  async refuse(
    turn: AgentTurn,
    nowMs: number,
    day: number,
    store: SpendingStore | null = null,
  ): Promise<GuardRefusal | null> {
    const { tokenLimits, costLimits } = this.#limits;
    const before = spentBefore(turn);
    if (isReached(before.tokens, tokenLimits.conversation)) return 'conversation_tokens';
    if (isReached(before.cost, costLimits.conversation)) return 'conversation_cost';
    if (this.#limitsProjects()) {
      const spent = await this.#spentOn(turn, day, store);
      if (isReached(spent.tokens, tokenLimits.projectPerDay)) return 'project_tokens';
      if (isReached(spent.cost, costLimits.projectPerDay)) return 'project_cost';
    }
    if (this.#failures < MAX_FAILURES) return null;
    if (nowMs < this.#closedUntilMs) return 'endpoint_away';
    // This turn checks whether the model is available again; the others wait for its result.
    this.#closedUntilMs = nowMs + AWAY_MS;
    return null;
  }

  /** Records that the model answered a request, or that its endpoint failed. */
  note(hasAnswered: boolean, nowMs: number): void {
    this.#failures = hasAnswered ? 0 : this.#failures + 1;
    if (this.#failures >= MAX_FAILURES) this.#closedUntilMs = nowMs + AWAY_MS;
  }

  /** The state to keep of what a turn has taken so far; null: no limit needs it. */
  stateAfter(turn: AgentTurn, spent: Spending): Readonly<Record<string, number>> | null {
    const { tokenLimits, costLimits } = this.#limits;
    const sum = plus(spentBefore(turn), spent);
    const state = {
      ...(tokenLimits.conversation !== null && { [TOKENS_KEY]: sum.tokens }),
      ...(costLimits.conversation !== null && { [COST_KEY]: sum.cost }),
    };
    return Object.keys(state).length === 0 ? null : state;
  }

  /** Counts what a turn has taken for its project, also where the turn has failed. Rejects as the store does. */
  async spend(
    turn: AgentTurn,
    spent: Spending,
    day: number,
    store: SpendingStore | null = null,
  ): Promise<void> {
    if (spent.tokens === 0 || !this.#limitsProjects()) return;
    this.#turnTo(day);
    const project = turn.projectId ?? '';
    this.#spentByProject.set(project, plus(this.#spentByProject.get(project) ?? NOTHING, spent));
    if (store === null || turn.projectId === undefined) return;
    const sum = await store.add(project, day, spent);
    if (day === this.#day) this.#spentByProject.set(project, sum);
  }

  /** Whether a refusal concerns a whole project for the rest of its day, and is the first one. */
  isNews(turn: AgentTurn, refusal: GuardRefusal): boolean {
    const isOfProject = refusal === 'project_tokens' || refusal === 'project_cost';
    const project = turn.projectId ?? '';
    if (!isOfProject || this.#reported.has(project)) return false;
    this.#reported.add(project);
    return true;
  }

  #limitsProjects(): boolean {
    const { tokenLimits, costLimits } = this.#limits;
    return tokenLimits.projectPerDay !== null || costLimits.projectPerDay !== null;
  }

  async #spentOn(turn: AgentTurn, day: number, store: SpendingStore | null): Promise<Spending> {
    this.#turnTo(day);
    const project = turn.projectId ?? '';
    const known = this.#spentByProject.get(project);
    if (known !== undefined || store === null || turn.projectId === undefined) return known ?? NOTHING;
    const sum = await store.read(project, day);
    // A turn that has ended meanwhile knows a later sum.
    const since = this.#spentByProject.get(project);
    if (since === undefined && day === this.#day) this.#spentByProject.set(project, sum);
    return since ?? sum;
  }

  #turnTo(day: number): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#spentByProject.clear();
    this.#reported.clear();
  }
}

const isReached = (spent: number, limit: number | null): boolean => limit !== null && spent >= limit;

/** Two sums together. */
export const plus = (one: Spending, other: Spending): Spending => ({
  tokens: one.tokens + other.tokens,
  cost: one.cost + other.cost,
});

const MILLION = 1_000_000;

/** Returns the cost of tokens; 0 without prices. */
export function costOf({ prompt, cached, answer }: TokenUsage, prices: ModelPrices | null): number {
  if (prices === null) return 0;
  const { input, cachedInput, output } = prices;
  return ((prompt - cached) * input + cached * (cachedInput ?? input) + answer * output) / MILLION;
}

function spentBefore({ state }: AgentTurn): Spending {
  const [tokens, cost] = [state[TOKENS_KEY], state[COST_KEY]];
  return { tokens: typeof tokens === 'number' ? tokens : 0, cost: typeof cost === 'number' ? cost : 0 };
}
