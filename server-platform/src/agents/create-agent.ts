import { setImmediate } from 'node:timers/promises';
import { lazy } from '../kit/lazy.ts';
import type { Agent } from './agent.ts';
import type { AgentClock } from './agent-clock.ts';
import { type AgentConfig, type ArticleAgentConfig, parseAgentConfig } from './agent-config.ts';
import { createKnowledgeAgent } from './articles/knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from './articles/knowledge-agent-config.ts';
import type { Article } from './articles/passages/article.ts';
import { type KnowledgeIndex, prepareKnowledgeIndex } from './articles/passages/knowledge-index.ts';
import { type LoadedArticles, loadArticleFiles } from './articles/passages/load-articles.ts';
import { measureThreshold } from './articles/threshold-of.ts';
import type { EndpointPorts } from './endpoint/request-with-retries.ts';
import { createLlmAgent } from './llm/llm-agent.ts';
import { ModelGuard } from './llm/model-guard.ts';
import { loadTools } from './tools/load-tools.ts';
import { reportFailures } from './tools/report-failures.ts';

/** Dependencies of the agents; an absent part defaults to the machine's. */
export interface AgentPorts {
  readonly clock?: AgentClock;
  readonly client?: EndpointPorts['client'];
  readonly random?: EndpointPorts['random'];
  /** Reports what failed without the visitor seeing it: a model whose turn the articles answer, and a tool. */
  readonly onFailure?: (what: string, error: unknown) => void;
}

/** An agent that answers from articles and its configuration, from which it can be created again with other articles. */
export interface AgentSource extends LoadedArticles {
  readonly config: ArticleAgentConfig;
  /** The agent over these articles. Other work comes in between, because very many articles take seconds. */
  readonly build: (articles: readonly Article[], ports?: AgentPorts) => Promise<BuiltAgent>;
}

/** An agent, and the index it answers from; null without articles. */
export interface BuiltAgent {
  readonly agent: Agent;
  readonly index: KnowledgeIndex | null;
}

const NO_ARTICLES: LoadedArticles = { articles: [], files: new Map() };

/**
 * Reads the articles and imports the tools of one of the built-in agents. The configuration is checked, wherever it comes
 * from.
 *
 * Rejects with a message that names what to correct, in the configuration, in the articles or in the tools.
 */
export async function loadAgent(config: AgentConfig): Promise<AgentSource> {
  const checked = parseAgentConfig(config);
  if (checked.kind === 'webhook') throw new RangeError('An agent behind a webhook has no articles.');
  const { knowledgeFolder, synonyms, alternatives } = checked;
  const words = { synonyms, alternatives };
  const loaded = knowledgeFolder === null ? NO_ARTICLES : await loadArticleFiles(knowledgeFolder);
  const loadedTools = checked.tools === null ? [] : await loadTools(checked.tools);
  // All agents that are built share it: published articles change neither the spent tokens nor the state of the model.
  const guard = checked.kind === 'llm' ? new ModelGuard(checked.tokenLimits) : null;
  return {
    ...loaded,
    config: checked,
    async build(articles, ports = {}) {
      const report = (what: string) => (error: unknown) => ports.onFailure?.(what, error);
      const tools = loadedTools.map((tool) => reportFailures(tool, report('run a tool')));
      if (checked.kind === 'llm') {
        const index = articles.length === 0 ? null : await indexInTurns(articles, words);
        const { name, avatarUrl, handoff, country, emergency, replies, timeZone, helpBaseUrl } = checked;
        const shared = { name, avatarUrl, handoff, country, emergency, replies, timeZone, helpBaseUrl };
        const standIn = lazy(() =>
          index === null
            ? null
            : createKnowledgeAgent({ ...KNOWLEDGE_AGENT_DEFAULTS, ...shared }, index, ports.clock, tools),
        );
        return {
          index,
          agent: createLlmAgent(checked, index, ports, {
            tools,
            standIn,
            guard,
            onFailure: report('ask a model'),
          }),
        };
      }
      const index = await indexInTurns(articles, words);
      return { index, agent: createKnowledgeAgent(checked, index, ports.clock, tools) };
    },
  };
}

/**
 * Builds one of the built-in agents over the articles of its folder.
 *
 * Rejects like {@link loadAgent}.
 *
 * @example
 * const agent = await createAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder: 'articles' });
 */
export async function createAgent(config: AgentConfig, ports: AgentPorts = {}): Promise<Agent> {
  const source = await loadAgent(config);
  return (await source.build(source.articles, ports)).agent;
}

/** Prepares articles with a turn of the event loop for each step. */
async function indexInTurns(
  articles: readonly Article[],
  words: Pick<ArticleAgentConfig, 'synonyms' | 'alternatives'>,
): Promise<KnowledgeIndex> {
  const index = await inTurns(prepareKnowledgeIndex(articles, words));
  await inTurns(measureThreshold(index));
  return index;
}

async function inTurns<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
