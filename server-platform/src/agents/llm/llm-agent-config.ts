import {
  type EmergencyContacts,
  type HandoffTarget,
  KNOWLEDGE_AGENT_DEFAULTS,
} from '../knowledge/knowledge-agent-config.ts';

/** How long the agent waits for the endpoint, in milliseconds. */
export interface LlmTimeouts {
  /** From sending a request to the first byte of its answer's body. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  /** For the whole turn: all requests, retries and tools together. */
  readonly totalMs: number;
}

/** How requests that failed before their first token are tried again. */
export interface LlmRetries {
  /** Tries in all, the first one included. */
  readonly maxAttempts: number;
  /** First pause; doubles each time, and varies by a quarter so that many conversations do not come back at once. */
  readonly baseDelayMs: number;
  /** The longest pause. An endpoint whose `Retry-After` asks for more is overloaded: the turn fails at once. */
  readonly maxDelayMs: number;
}

/** Everything an LLM agent can be told. */
export interface LlmAgentConfig {
  readonly name: string;
  readonly avatarUrl: string | null;
  /** The first message, said without asking the model; it must say that the agent is automated. */
  readonly greeting: string;
  readonly starters: readonly string[];
  /** Base address of an OpenAI-compatible API (`https://host/v1`) or its chat-completions address. */
  readonly url: string;
  /** Sent as bearer token; null for endpoints without one. Never logged, never part of an error. */
  readonly apiKey: string | null;
  readonly model: string;
  readonly systemPrompt: string;
  /** Further fields of the request body, for example `temperature`; cannot replace the agent's own. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly timeouts: LlmTimeouts;
  readonly retries: LlmRetries;
  /** How many lines of the conversation the model sees. */
  readonly maxHistory: number;
  /** How often the model may be asked within one turn; the last time it gets no tools. */
  readonly maxSteps: number;
  /** Null: the model gets no tool to hand over. */
  readonly handoff: HandoffTarget | null;
  /** Whom to call when a life is in danger: said without asking the model. */
  readonly emergency: EmergencyContacts;
  /** Time zone in which the model is told date and time, as `Europe/London`. */
  readonly timeZone: string;
  /** Address of the help site, for the source card of what was looked up; null: no card. */
  readonly helpBaseUrl: string | null;
}

/** What a configuration that only names agent, endpoint and model gets. */
export const LLM_AGENT_DEFAULTS: Omit<
  LlmAgentConfig,
  'name' | 'greeting' | 'url' | 'model' | 'systemPrompt'
> = {
  avatarUrl: null,
  starters: [],
  apiKey: null,
  extraBody: {},
  // Visitors leave after some 20 s of silence; a large model on a busy host needs up to 15 s for its first token.
  timeouts: { firstByteMs: 15_000, idleMs: 10_000, totalMs: 60_000 },
  retries: { maxAttempts: 3, baseDelayMs: 500, maxDelayMs: 5_000 },
  maxHistory: 20,
  maxSteps: 4,
  handoff: null,
  emergency: KNOWLEDGE_AGENT_DEFAULTS.emergency,
  timeZone: KNOWLEDGE_AGENT_DEFAULTS.timeZone,
  helpBaseUrl: null,
};
