import type { AgentTurn } from '../agent.ts';

/** How many tokens may be spent; null: any number. */
export interface TokenLimits {
  readonly conversation: number | null;
  /** Of a project, on a day of the agent's time zone, counted by each node for itself. */
  readonly projectPerDay: number | null;
}

/** Why a model is not asked. */
export type GuardRefusal = 'conversation_tokens' | 'project_tokens' | 'endpoint_away';

// After five failures in a row the question is not the cause. Visitors are answered without it for half a minute each time.
const MAX_FAILURES = 5;
const AWAY_MS = 30_000;

/** The agent's own memory of what a conversation has cost. */
const TOKENS_KEY = '_llm_tokens';

/**
 * Keeps an agent from a model that is away, and within its tokens. After five failures in a row the model is asked by
 * one turn every 30 seconds, until that succeeds.
 */
export class ModelGuard {
  readonly #limits: TokenLimits;
  #failures = 0;
  #closedUntilMs = 0;
  #day = Number.NaN;
  readonly #spentByProject = new Map<string, number>();

  constructor(limits: TokenLimits) {
    this.#limits = limits;
  }

  /** Why the model is not asked in a turn, or null. `day` is a number that each day has alone. */
  refuse(turn: AgentTurn, nowMs: number, day: number): GuardRefusal | null {
    const { conversation, projectPerDay } = this.#limits;
    if (conversation !== null && spentBefore(turn) >= conversation) return 'conversation_tokens';
    this.#turnTo(day);
    const spent = this.#spentByProject.get(turn.projectId ?? '') ?? 0;
    if (projectPerDay !== null && spent >= projectPerDay) return 'project_tokens';
    if (this.#failures < MAX_FAILURES) return null;
    if (nowMs < this.#closedUntilMs) return 'endpoint_away';
    // This turn finds out whether it is back; the others wait for that.
    this.#closedUntilMs = nowMs + AWAY_MS;
    return null;
  }

  /** The model has answered a request, or its endpoint has failed one. */
  note(hasAnswered: boolean, nowMs: number): void {
    this.#failures = hasAnswered ? 0 : this.#failures + 1;
    if (this.#failures >= MAX_FAILURES) this.#closedUntilMs = nowMs + AWAY_MS;
  }

  /** Counts the tokens of a turn. Returns the state to keep of them; null: there is no limit to keep them for. */
  spend(turn: AgentTurn, tokens: number, day: number): Readonly<Record<string, number>> | null {
    this.#turnTo(day);
    const project = turn.projectId ?? '';
    this.#spentByProject.set(project, (this.#spentByProject.get(project) ?? 0) + tokens);
    return this.#limits.conversation === null ? null : { [TOKENS_KEY]: spentBefore(turn) + tokens };
  }

  #turnTo(day: number): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#spentByProject.clear();
  }
}

function spentBefore({ state }: AgentTurn): number {
  const spent = state[TOKENS_KEY];
  return typeof spent === 'number' ? spent : 0;
}
