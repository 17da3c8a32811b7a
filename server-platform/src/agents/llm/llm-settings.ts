import * as v from 'valibot';
import {
  articleFields,
  endpointLimits,
  endpointTimeouts,
  httpUrl,
  MAX_WAIT_MS,
  objectMessage,
  orNull,
  text,
  wholeNumber,
} from '../config-fields.ts';
import type { EndpointRetries } from '../endpoint/endpoint-limits.ts';
import {
  LLM_AGENT_DEFAULTS,
  type LlmAgentConfig,
  type ModelPrices,
  type ModelTimeouts,
  type SpendingLimits,
} from './llm-agent-config.ts';

/** An LLM agent's settings; everything with a default may be left out. */
export type LlmAgentSettings = Pick<LlmAgentConfig, 'name' | 'greeting' | 'url' | 'model' | 'systemPrompt'> &
  Partial<Omit<LlmAgentConfig, 'timeouts' | 'retries' | 'tokenLimits' | 'prices' | 'costLimits'>> & {
    readonly kind: 'llm';
    /** Folder of the articles the model may search; null or absent: none. */
    readonly knowledgeFolder?: string | null;
    /** As for a knowledge agent. */
    readonly tools?: string | null;
    readonly synonyms?: readonly (readonly string[])[];
    readonly alternatives?: readonly (readonly string[])[];
    readonly timeouts?: Partial<ModelTimeouts>;
    readonly retries?: Partial<EndpointRetries>;
    readonly tokenLimits?: Partial<SpendingLimits>;
    readonly prices?: (Pick<ModelPrices, 'input' | 'output'> & Partial<ModelPrices>) | null;
    readonly costLimits?: Partial<SpendingLimits>;
  };

/** Checked settings of an agent on a language model, with all defaults filled in. */
export type CheckedLlmAgent = LlmAgentConfig & {
  readonly kind: 'llm';
  readonly knowledgeFolder: string | null;
  readonly tools: string | null;
  readonly synonyms: readonly (readonly string[])[];
  readonly alternatives: readonly (readonly string[])[];
};

const MAX_TOKENS = 1_000_000_000;
const MAX_MONEY = 1_000_000;

/** An amount of money, which may have a fraction. */
const money = (name: string, least: number) =>
  v.pipe(
    v.number(`${name} must be a number`),
    v.minValue(least, `${name} must be at least ${least}`),
    v.maxValue(MAX_MONEY, `${name} must be at most ${MAX_MONEY}`),
  );

const LEAST_LIMIT = 0.0001;

/** The schema of these settings. */
export const llmSchema = v.pipe(
  v.strictObject(
    {
      ...articleFields,
      kind: v.literal('llm'),
      greeting: text('greeting'),
      /** Without a folder the model has nothing to look things up in. */
      knowledgeFolder: orNull(articleFields.knowledgeFolder),
      url: httpUrl('url'),
      apiKey: orNull(
        v.pipe(text('apiKey'), v.regex(/^[\x21-\x7e]+$/, 'apiKey must hold no spaces or special characters')),
      ),
      model: text('model'),
      systemPrompt: text('systemPrompt'),
      extraBody: v.optional(v.record(v.string(), v.unknown(), 'extraBody must hold fields'), {}),
      ...endpointLimits,
      timeouts: v.optional(
        v.strictObject(
          {
            ...endpointTimeouts,
            firstWordMs: v.optional(
              wholeNumber('timeouts.firstWordMs', 1, MAX_WAIT_MS),
              LLM_AGENT_DEFAULTS.timeouts.firstWordMs,
            ),
          },
          objectMessage('timeouts'),
        ),
        LLM_AGENT_DEFAULTS.timeouts,
      ),
      tokenLimits: v.optional(
        v.strictObject(
          {
            conversation: orNull(wholeNumber('tokenLimits.conversation', 1_000, MAX_TOKENS)),
            projectPerDay: orNull(wholeNumber('tokenLimits.projectPerDay', 1_000, MAX_TOKENS)),
          },
          objectMessage('tokenLimits'),
        ),
        LLM_AGENT_DEFAULTS.tokenLimits,
      ),
      prices: orNull(
        v.strictObject(
          {
            input: money('prices.input', 0),
            output: money('prices.output', 0),
            cachedInput: orNull(money('prices.cachedInput', 0)),
          },
          objectMessage('prices'),
        ),
      ),
      costLimits: v.optional(
        v.strictObject(
          {
            conversation: orNull(money('costLimits.conversation', LEAST_LIMIT)),
            projectPerDay: orNull(money('costLimits.projectPerDay', LEAST_LIMIT)),
          },
          objectMessage('costLimits'),
        ),
        LLM_AGENT_DEFAULTS.costLimits,
      ),
      maxHistory: v.optional(wholeNumber('maxHistory', 0, 1_000), LLM_AGENT_DEFAULTS.maxHistory),
      maxSteps: v.optional(wholeNumber('maxSteps', 1, 20), LLM_AGENT_DEFAULTS.maxSteps),
    },
    objectMessage('the agent'),
  ),
  v.check(
    ({ prices, costLimits: { conversation, projectPerDay } }) =>
      prices !== null || (conversation === null && projectPerDay === null),
    'costLimits need prices',
  ),
);
