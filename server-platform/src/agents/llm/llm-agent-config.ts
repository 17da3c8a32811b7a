import {
  type HandoffTarget,
  KNOWLEDGE_AGENT_DEFAULTS,
  type KnowledgeAgentConfig,
} from '../articles/knowledge-agent-config.ts';
import {
  ENDPOINT_DEFAULTS,
  type EndpointRetries,
  type EndpointTimeouts,
} from '../endpoint/endpoint-limits.ts';

/** A spending limit; null: no limit. */
export interface SpendingLimits {
  readonly conversation: number | null;
  /** Of a project, on a day of the agent's time zone. */
  readonly projectPerDay: number | null;
}

/** Prices of a million tokens, in any currency. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Of input that the endpoint had in its cache; null: as `input`. */
  readonly cachedInput: number | null;
}

/** The limits of what a model may take. */
export interface ModelLimits {
  /** In tokens. */
  readonly tokenLimits: SpendingLimits;
  /** In the currency of the prices. */
  readonly costLimits: SpendingLimits;
}

/** How long the agent waits for its model, in milliseconds. */
export interface ModelTimeouts extends EndpointTimeouts {
  /** From sending a request to the first word or tool call of its answer; thinking is none. */
  readonly firstWordMs: number;
}

/** All settings of an LLM agent. */
export interface LlmAgentConfig extends ModelLimits {
  readonly name: string;
  readonly avatarUrl: string | null;
  /** The first message, sent without the model; it must say that the agent is automated. */
  readonly greeting: string;
  readonly starters: readonly string[];
  /** Base address of chat completions (`https://host/v1`), or the address of one of the APIs in `find-model-api.ts`. */
  readonly url: string;
  /** Null for endpoints without one. Never logged, never part of an error. */
  readonly apiKey: string | null;
  readonly model: string;
  readonly systemPrompt: string;
  /** Further fields of the request body, for example `temperature`; cannot replace the agent's own. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly timeouts: ModelTimeouts;
  readonly retries: EndpointRetries;
  /** Null: what an answer costs is not known. */
  readonly prices: ModelPrices | null;
  /** How many lines of the conversation the model sees. */
  readonly maxHistory: number;
  /** Maximum of requests to the model within one turn; the last one has no tools. */
  readonly maxSteps: number;
  /** Null: the model has no tool to hand off. */
  readonly handoff: HandoffTarget | null;
  /** Emergency numbers, sent without the model when a life is in danger. */
  readonly country: KnowledgeAgentConfig['country'];
  /** Texts of the company that replace the platform's, by language and name. */
  readonly replies: KnowledgeAgentConfig['replies'];
  readonly emergency: KnowledgeAgentConfig['emergency'];
  /** Time zone of the date and time in the prompt, such as `Europe/London`. */
  readonly timeZone: string;
  /** Address of the help site, for source cards; null: no card. */
  readonly helpBaseUrl: string | null;
}

/** Defaults for a configuration that only names agent, endpoint and model. */
export const LLM_AGENT_DEFAULTS: Omit<
  LlmAgentConfig,
  'name' | 'greeting' | 'url' | 'model' | 'systemPrompt'
> = {
  avatarUrl: null,
  starters: [],
  apiKey: null,
  extraBody: {},
  ...ENDPOINT_DEFAULTS,
  // Before the turn's time limit for a first action (`agentFirstActionMs`), so that the articles can answer instead.
  timeouts: { ...ENDPOINT_DEFAULTS.timeouts, firstWordMs: 25_000 },
  tokenLimits: { conversation: null, projectPerDay: null },
  prices: null,
  costLimits: { conversation: null, projectPerDay: null },
  maxHistory: 20,
  maxSteps: 4,
  handoff: null,
  country: KNOWLEDGE_AGENT_DEFAULTS.country,
  replies: KNOWLEDGE_AGENT_DEFAULTS.replies,
  emergency: KNOWLEDGE_AGENT_DEFAULTS.emergency,
  timeZone: KNOWLEDGE_AGENT_DEFAULTS.timeZone,
  helpBaseUrl: null,
};
