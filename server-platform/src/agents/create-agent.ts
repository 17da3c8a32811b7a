import { setImmediate } from 'node:timers/promises';
import { lazy } from '../kit/lazy.ts';
import type { Agent } from './agent.ts';
import type { AgentClock } from './agent-clock.ts';
import { type AgentConfig, type ArticleAgentConfig, parseAgentConfig } from './agent-config.ts';
import { createKnowledgeAgent } from './articles/knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from './articles/knowledge-agent-config.ts';
import { type Article, languageOfSlug } from './articles/passages/article.ts';
import { type KnowledgeIndex, prepareKnowledgeIndex } from './articles/passages/knowledge-index.ts';
import { type LoadedArticles, loadArticleFiles } from './articles/passages/load-articles.ts';
import type { TranslatePassage, Translations } from './articles/passages/translations.ts';
import { articleLanguage } from './articles/small-talk.ts';
import { measureThreshold } from './articles/threshold-of.ts';
import type { EndpointPorts } from './endpoint/request-with-retries.ts';
import { createLlmAgent } from './llm/llm-agent.ts';
import { ModelGuard, type SpendingStore } from './llm/model-guard.ts';
import { loadTools } from './tools/load-tools.ts';
import { reportFailures } from './tools/report-failures.ts';

/** Dependencies of the agents; an absent part defaults to the machine's. */
export interface AgentPorts {
  readonly clock?: AgentClock;
  readonly client?: EndpointPorts['client'];
  readonly random?: EndpointPorts['random'];
  /** Keeps what projects spend on models. Absent: each agent counts its own turns, from its start. */
  readonly spending?: SpendingStore;
  /** Translates passages that are not in the visitor's language. */
  readonly translate?: TranslatePassage | undefined;
  /** Reports what failed without the visitor seeing it: a model whose turn the articles answer, a tool, a translation. */
  readonly onFailure?: (what: string, error: unknown) => void;
}

/** An agent that answers from articles and its configuration, from which it can be created again with other articles. */
export interface AgentSource extends LoadedArticles {
  /** The language of the articles whose names begin with none, as `en`. */
  readonly mainLanguage: string;
  readonly config: ArticleAgentConfig;
  /** Builds the agent with these articles. Other work runs in between, because very many articles take seconds. */
  readonly build: (articles: readonly Article[], ports?: AgentPorts) => Promise<BuiltAgent>;
}

/** An agent, and the articles it answers from. */
export interface BuiltAgent {
  readonly agent: Agent;
  /** The articles in the main language of the company; null without articles. */
  readonly index: KnowledgeIndex | null;
  /** The articles in other languages, each set prepared when it is asked for first. */
  readonly translations: Translations;
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
  const mainLanguage = checked.kind === 'knowledge' ? articleLanguage(checked) : 'en';
  if (loaded.articles.some(({ slug }) => languageOfSlug(slug) === mainLanguage))
    throw new Error(
      `Move the articles of ${knowledgeFolder}/${mainLanguage} into ${knowledgeFolder}: the first of languages is what the articles there are written in.`,
    );
  const loadedTools = checked.tools === null ? [] : await loadTools(checked.tools);
  // All agents that are built share it: published articles change neither the spent tokens nor the state of the model.
  const guard = checked.kind === 'llm' ? new ModelGuard(checked) : null;
  return {
    ...loaded,
    mainLanguage,
    config: checked,
    async build(articles, ports = {}) {
      const { main, others } = splitByLanguage(articles, mainLanguage);
      const translations: Translations = new Map(
        [...others].map(([language, its]) => [language, lazy(() => indexInTurns(its, words))]),
      );
      const report = (what: string) => (error: unknown) => ports.onFailure?.(what, error);
      const { translate } = ports;
      const languages = { translations, translate, onFailure: report('translate a passage') };
      const tools = loadedTools.map((tool) => reportFailures(tool, report('run a tool')));
      if (checked.kind === 'llm') {
        const index = main.length === 0 ? null : await indexInTurns(main, words);
        const { name, avatarUrl, handoff, country, emergency, replies, timeZone, helpBaseUrl } = checked;
        const shared = { name, avatarUrl, handoff, country, emergency, replies, timeZone, helpBaseUrl };
        const standIn = lazy(() =>
          index === null
            ? null
            : createKnowledgeAgent(
                { ...KNOWLEDGE_AGENT_DEFAULTS, ...shared },
                index,
                ports.clock,
                tools,
                languages,
              ),
        );
        return {
          ...{ index, translations },
          agent: createLlmAgent(checked, index, ports, {
            tools,
            translations,
            standIn,
            guard,
            onFailure: report('ask a model'),
            spending: ports.spending ?? null,
            onSpendingFailure: report('count what a model takes'),
          }),
        };
      }
      const index = await indexInTurns(main, words);
      const agent = createKnowledgeAgent(checked, index, ports.clock, tools, languages);
      return { index, translations, agent };
    },
  };
}

/** The articles in the main language of the company, and those in others by language. */
function splitByLanguage(
  articles: readonly Article[],
  mainLanguage: string,
): { readonly main: readonly Article[]; readonly others: ReadonlyMap<string, readonly Article[]> } {
  const main: Article[] = [];
  const others = new Map<string, Article[]>();
  for (const article of articles) {
    const language = languageOfSlug(article.slug);
    if (language === null)
      main.push(mainLanguage === 'en' ? article : { ...article, language: mainLanguage });
    else others.set(language, [...(others.get(language) ?? []), article]);
  }
  return { main, others };
}

/**
 * Builds one of the built-in agents with the articles of its folder.
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
