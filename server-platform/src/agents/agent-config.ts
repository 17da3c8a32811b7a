import * as v from 'valibot';
import {
  type CheckedKnowledgeAgent,
  type KnowledgeAgentSettings,
  knowledgeSchema,
} from './articles/knowledge-settings.ts';
import { type CheckedLlmAgent, type LlmAgentSettings, llmSchema } from './llm/llm-settings.ts';
import type { WebhookAgentConfig } from './webhook/webhook-agent-config.ts';
import { webhookSchema } from './webhook/webhook-settings.ts';

/** The settings of a built-in agent: one that answers from articles, or one that asks a language model. */
export type AgentConfig = KnowledgeAgentSettings | LlmAgentSettings;

/** Checked settings of an agent that answers from articles, with all defaults filled in. */
export type ArticleAgentConfig = CheckedKnowledgeAgent | CheckedLlmAgent;

/** The checked configuration of one of the built-in agents, with all defaults filled in. */
export type CompleteAgentConfig = ArticleAgentConfig | (WebhookAgentConfig & { readonly kind: 'webhook' });

/** The schema of one entry under `agents`. */
export const agentConfigSchema: v.GenericSchema<unknown, CompleteAgentConfig> = v.variant(
  'kind',
  [knowledgeSchema, llmSchema, webhookSchema],
  'the agent needs a "kind" of "knowledge", "llm" or "webhook"',
);

/**
 * Checks a configuration that came from a file or the environment, and fills in the defaults.
 *
 * Throws an error that names every wrong setting and its rule, but never a value, because a value may be a key.
 */
export function parseAgentConfig(config: unknown): CompleteAgentConfig {
  const result = v.safeParse(agentConfigSchema, config);
  if (result.success) return result.output;
  const problems = new Set(result.issues.map((issue) => issue.message));
  throw new Error(`Correct the agent's configuration: ${[...problems].join('; ')}.`);
}
