import type { Agent } from './agent.ts';
import type { AgentClock } from './agent-clock.ts';
import { type AgentConfig, parseAgentConfig } from './agent-config.ts';
import { createKnowledgeAgent } from './knowledge/knowledge-agent.ts';
import { createKnowledgeIndex, type KnowledgeIndex } from './knowledge/knowledge-index.ts';
import { loadArticles } from './knowledge/load-articles.ts';
import { loadSailings } from './knowledge/time/sailings.ts';
import type { LlmPorts } from './llm/chat-endpoint.ts';
import { createLlmAgent } from './llm/llm-agent.ts';

/** The world around the agents; absent parts are the machine's own. */
export interface AgentPorts {
  readonly clock?: AgentClock;
  readonly client?: LlmPorts['client'];
  readonly random?: LlmPorts['random'];
}

/**
 * Builds one of the built-in agents. The configuration is checked, wherever it comes from.
 *
 * Rejects with a message that names what to correct, in the configuration or in the articles.
 *
 * @example
 * const agent = await createAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder: 'knowledge/kittiwake' });
 */
export async function createAgent(config: AgentConfig, ports: AgentPorts = {}): Promise<Agent> {
  const checked = parseAgentConfig(config);
  const { knowledgeFolder } = checked;
  const [index, sailings] =
    knowledgeFolder === null
      ? [null, null]
      : await Promise.all([loadIndex(knowledgeFolder), loadSailings(knowledgeFolder)]);
  if (checked.kind === 'llm') return createLlmAgent(checked, index, ports, sailings);
  return createKnowledgeAgent(checked, index ?? createKnowledgeIndex([]), ports.clock, sailings);
}

async function loadIndex(folder: string): Promise<KnowledgeIndex> {
  return createKnowledgeIndex(await loadArticles(folder));
}
