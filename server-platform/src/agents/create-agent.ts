import type { Agent } from './agent.ts';
import type { AgentClock } from './agent-clock.ts';
import { type AgentConfig, type CompleteAgentConfig, parseAgentConfig } from './agent-config.ts';
import type { Article } from './knowledge/article.ts';
import { createKnowledgeAgent } from './knowledge/knowledge-agent.ts';
import { createKnowledgeIndex, type KnowledgeIndex } from './knowledge/knowledge-index.ts';
import { type LoadedArticles, loadArticleFiles } from './knowledge/load-articles.ts';
import { loadSailings } from './knowledge/time/sailings.ts';
import type { LlmPorts } from './llm/chat-endpoint.ts';
import { createLlmAgent } from './llm/llm-agent.ts';

/** The world around the agents; absent parts are the machine's own. */
export interface AgentPorts {
  readonly clock?: AgentClock;
  readonly client?: LlmPorts['client'];
  readonly random?: LlmPorts['random'];
}

/** A built-in agent and its configuration, from which it can be created again with other articles. */
export interface AgentSource extends LoadedArticles {
  readonly config: CompleteAgentConfig;
  /** The agent over these articles. */
  readonly build: (articles: readonly Article[], ports?: AgentPorts) => BuiltAgent;
}

/** An agent, and the index it answers from; null: it has none. */
export interface BuiltAgent {
  readonly agent: Agent;
  readonly index: KnowledgeIndex | null;
}

const NO_ARTICLES: LoadedArticles = { articles: [], files: new Map() };

/**
 * Reads the articles and the timetable of one of the built-in agents. The configuration is checked, wherever it comes
 * from.
 *
 * Rejects with a message that names what to correct, in the configuration or in the articles.
 */
export async function loadAgent(config: AgentConfig): Promise<AgentSource> {
  const checked = parseAgentConfig(config);
  const { knowledgeFolder } = checked;
  const [loaded, sailings] =
    knowledgeFolder === null
      ? [NO_ARTICLES, null]
      : await Promise.all([loadArticleFiles(knowledgeFolder), loadSailings(knowledgeFolder)]);
  return {
    ...loaded,
    config: checked,
    build(articles, ports = {}) {
      if (checked.kind === 'llm') {
        const index = articles.length === 0 ? null : createKnowledgeIndex(articles);
        return { index, agent: createLlmAgent(checked, index, ports, sailings) };
      }
      const index = createKnowledgeIndex(articles);
      return { index, agent: createKnowledgeAgent(checked, index, ports.clock, sailings) };
    },
  };
}

/**
 * Builds one of the built-in agents over the articles of its folder.
 *
 * Rejects like {@link loadAgent}.
 *
 * @example
 * const agent = await createAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder: 'knowledge/kittiwake' });
 */
export async function createAgent(config: AgentConfig, ports: AgentPorts = {}): Promise<Agent> {
  const source = await loadAgent(config);
  return source.build(source.articles, ports).agent;
}
