import type { AgentAction } from '../agent.ts';
import type { ChatDelta, ChatRequest, TokenUsage } from './chat-protocol.ts';
import type { ModelPrices } from './llm-agent-config.ts';
import { costOf, plus, type Spending } from './model-guard.ts';

// English has about four characters a token, other languages fewer; it is for endpoints that do not count.
const CHARACTERS_PER_TOKEN = 4;

const NOTHING: TokenUsage = { prompt: 0, cached: 0, answer: 0 };

const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/** A request whose answer is read. */
interface OpenRequest {
  readonly request: ChatRequest;
  usage: TokenUsage;
  writtenCharacters: number;
}

/** Counts what the requests of one turn take. */
export class TurnSpending {
  readonly #prices: ModelPrices | null;
  #sum: Spending = { tokens: 0, cost: 0 };
  #counted = NOTHING;
  #open: OpenRequest | null = null;

  constructor(prices: ModelPrices | null) {
    this.#prices = prices;
  }

  /** Of the requests that have ended. */
  get sum(): Spending {
    return this.#sum;
  }

  beginRequest(request: ChatRequest): void {
    this.#open = { request, usage: NOTHING, writtenCharacters: 0 };
  }

  /** Reads a piece of the answer. Counts come in parts, or grow with every piece. */
  note({ text, usage }: ChatDelta): void {
    if (this.#open === null) return;
    const { prompt, cached, answer } = this.#open.usage;
    this.#open.writtenCharacters += text.length;
    if (usage === null) return;
    this.#open.usage = {
      prompt: Math.max(prompt, usage.prompt),
      cached: Math.max(cached, usage.cached),
      answer: Math.max(answer, usage.answer),
    };
  }

  /** Leaves out a request that the endpoint has refused, unless words came first. */
  dropRefused(): void {
    const isRefused = this.#open?.writtenCharacters === 0 && this.#open.usage === NOTHING;
    if (isRefused) this.#open = null;
  }

  /** Ends a request, which may have broken off. What the endpoint has not counted is estimated by its characters. */
  endRequest(): void {
    if (this.#open === null) return;
    const { request, usage, writtenCharacters } = this.#open;
    this.#open = null;
    this.#counted = {
      prompt: this.#counted.prompt + usage.prompt,
      cached: this.#counted.cached + usage.cached,
      answer: this.#counted.answer + usage.answer,
    };
    const isCounted = usage.prompt + usage.answer > 0;
    const spent = isCounted
      ? usage
      : {
          prompt: estimateTokens(JSON.stringify(request).length),
          cached: 0,
          answer: estimateTokens(writtenCharacters),
        };
    this.#sum = plus(this.#sum, { tokens: spent.prompt + spent.answer, cost: costOf(spent, this.#prices) });
  }

  /** Yields the turn's token counts, if the endpoint has reported them, and their cost. */
  *metrics(): Iterable<AgentAction> {
    const { prompt, cached, answer } = this.#counted;
    if (prompt + answer > 0) {
      yield { type: 'metric', name: 'llm_prompt_tokens', value: prompt };
      if (cached > 0) yield { type: 'metric', name: 'llm_cached_tokens', value: cached };
      yield { type: 'metric', name: 'llm_answer_tokens', value: answer };
    }
    if (this.#prices !== null) yield { type: 'metric', name: 'llm_cost', value: round(this.#sum.cost) };
  }
}

/** To a millionth, without the error of binary fractions. */
const round = (cost: number): number => Math.round(cost * 1e6) / 1e6;
