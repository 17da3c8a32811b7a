import type { AgentConfig } from '../../server-platform/src/agents/agent-config.ts';
import type { LlmAgentSettings } from '../../server-platform/src/agents/llm/llm-settings.ts';

/** A company's agent with a model in place of the search, over the same articles and with the same tools. */
export function modelConfig(
  articles: AgentConfig,
  endpoint: Pick<LlmAgentSettings, 'url' | 'model' | 'apiKey' | 'extraBody'>,
): LlmAgentSettings {
  const { name, knowledgeFolder = null, handoff = null, helpBaseUrl = null, tools = null } = articles;
  const { timeZone, country = null, emergency, synonyms = [] } = articles;
  const replies = articles.replies ?? {};
  const company = articles.kind === 'knowledge' ? articles.company : null;
  return {
    ...{ name, knowledgeFolder, synonyms, handoff, country, helpBaseUrl, tools, replies },
    ...(timeZone !== undefined && { timeZone }),
    ...(emergency !== undefined && { emergency }),
    ...endpoint,
    kind: 'llm',
    greeting: `Hello, I am ${name}, an automated assistant.`,
    systemPrompt: `You answer questions of the customers of ${company ?? 'the company'}, friendly and to the point.`,
  };
}
