import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../db/index.ts';
import type { RunInShare } from '../../kit/http/index.ts';
import { lazy } from '../../kit/lazy.ts';
import type { Agent } from '../agent.ts';
import type { Article } from '../articles/passages/article.ts';
import { parseArticle } from '../articles/passages/parse-article.ts';
import type { AgentPorts, AgentSource, BuiltAgent } from '../create-agent.ts';
import { shareAgent } from '../share-agent.ts';
import { type ArticleScope, countVersions, type LatestVersion, listLatest } from './article-versions.ts';
import { createSpendingStore } from './model-spending.ts';

/** Dependencies of the agents of projects. */
export interface ProjectAgentsOptions {
  readonly database: Sql;
  /** Agents without articles, by name. */
  readonly fixed: ReadonlyMap<string, Agent>;
  /** The built-in agents, by the names of their configurations. */
  readonly sources: ReadonlyMap<string, AgentSource>;
  /** Runs the turns of a project in its share of the node. */
  readonly turnInShare: RunInShare;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly translate?: AgentPorts['translate'];
}

/** The articles that a project has edited, and the agent built from them on first use. */
interface Edited {
  readonly versions: number;
  readonly latest: readonly EditedArticle[];
  built: Promise<BuiltAgent> | null;
}

/**
 * The agents of each project: the configured agents, with the articles that the project's team has
 * edited. A found agent stays the same object; each of its turns reads the current articles.
 */
export class ProjectAgents {
  readonly #options: ProjectAgentsOptions;
  /** With the articles of the files only; built at the first turn, because an agent uses tens of megabytes. */
  readonly #plain = new Map<string, () => Promise<BuiltAgent>>();
  readonly #edited = new Map<string, Edited>();
  readonly #found = new Map<string, Agent>();
  #refreshing: Promise<void> = Promise.resolve();

  readonly #ports: AgentPorts;

  constructor(options: ProjectAgentsOptions) {
    this.#options = options;
    const { onFailure, database, translate } = options;
    this.#ports = { onFailure, translate, spending: createSpendingStore(database) };
    for (const [name, source] of options.sources)
      this.#plain.set(
        name,
        lazy(() => source.build(source.articles, this.#ports)),
      );
  }

  /** Names of all agents. */
  get names(): readonly string[] {
    return [...new Set([...this.#options.fixed.keys(), ...this.#options.sources.keys()])];
  }

  /** Returns a project's agent by name; null: unknown name. */
  find(name: string, projectId: string): Agent | null {
    const key = keyOf({ projectId, agent: name });
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const agent = this.#options.fixed.get(name) ?? this.#findOwn(name, projectId);
    if (agent === null) return null;
    const found = shareAgent(agent, projectId, this.#options.turnInShare);
    this.#found.set(key, found);
    return found;
  }

  /** The agent over the articles of the project at the time of each turn. */
  #findOwn(name: string, projectId: string): Agent | null {
    const plain = this.#plain.get(name);
    const source = this.#options.sources.get(name);
    if (plain === undefined || source === undefined) return null;
    const build = (): Promise<BuiltAgent> => this.#build({ projectId, agent: name }) ?? plain();
    const run: Agent['run'] = async function* (turn) {
      yield* (await build()).agent.run(turn);
    };
    return { name: source.config.name, avatarUrl: source.config.avatarUrl, run };
  }

  /** The source of an agent's articles; null: there is no such agent, or its articles are stored elsewhere. */
  findSource(name: string): AgentSource | null {
    return this.#options.fixed.has(name) ? null : (this.#options.sources.get(name) ?? null);
  }

  /** The articles of a project, with a draft in place of the one of its name. The source must be there. */
  articlesOf(scope: ArticleScope, draft: Article | null = null): readonly Article[] {
    const source = this.findSource(scope.agent);
    if (source === null) throw new RangeError(`The agent ${scope.agent} has no articles.`);
    const edited = this.#edited.get(keyOf(scope))?.latest ?? [];
    const articles = mergeArticles(source.articles, edited);
    return draft === null ? articles : replace(articles, draft.slug, draft);
  }

  /** Loads articles published since, on any node. Rejects when the database cannot be read. */
  refresh(): Promise<void> {
    const next = this.#refreshing.then(() => this.#refresh());
    this.#refreshing = next.catch(() => undefined);
    return next;
  }

  async #refresh(): Promise<void> {
    const { database } = this.#options;
    const counted = await countVersions(database);
    const there = new Set(counted.map(keyOf));
    for (const key of this.#edited.keys()) if (!there.has(key)) this.#edited.delete(key);
    for (const { versions, ...scope } of counted) {
      const key = keyOf(scope);
      if (this.#edited.get(key)?.versions === versions) continue;
      const latest = await readEdited(await listLatest(database, scope), this.#options.onFailure);
      this.#edited.set(key, { versions, latest, built: null });
    }
  }

  /** The agent with the edited articles; null: none was edited. Building it takes as long as reading the articles. */
  #build(scope: ArticleScope): Promise<BuiltAgent> | null {
    const edited = this.#edited.get(keyOf(scope));
    const source = this.findSource(scope.agent);
    if (edited === undefined || source === null) return null;
    edited.built ??= source.build(this.articlesOf(scope), this.#ports);
    return edited.built;
  }
}

// No project's id has a space.
const keyOf = ({ projectId, agent }: ArticleScope): string => `${projectId} ${agent}`;

/** An article that was edited; null: it was deleted. */
interface EditedArticle {
  readonly slug: string;
  readonly article: Article | null;
}

/** Reads edited articles, each in a separate turn of the event loop, because a project may have very many. */
async function readEdited(
  latest: readonly LatestVersion[],
  onFailure: ProjectAgentsOptions['onFailure'],
): Promise<readonly EditedArticle[]> {
  const edited: EditedArticle[] = [];
  for (const { slug, kind, source } of latest) {
    if (kind === 'file') continue;
    await setImmediate();
    const parsed = source === null ? null : parseArticle(slug, source);
    // Validated when it was published, but possibly by an older release with different rules.
    if (parsed?.kind === 'invalid')
      onFailure('read an edited article', new Error(`${slug}: ${parsed.problem}. Publish it again.`));
    else edited.push({ slug, article: parsed?.article ?? null });
  }
  return edited;
}

/** The articles of the files, each in the version of the project where there is one. */
function mergeArticles(files: readonly Article[], edited: readonly EditedArticle[]): readonly Article[] {
  let articles = files;
  for (const { slug, article } of edited) articles = replace(articles, slug, article);
  return articles;
}

/** Replaces the article of the same name, or removes it. The articles stay sorted by name. */
function replace(articles: readonly Article[], slug: string, article: Article | null): readonly Article[] {
  const others = articles.filter((each) => each.slug !== slug);
  if (article === null) return others;
  const position = articles.findIndex((each) => each.slug === slug);
  return others.toSpliced(position < 0 ? others.length : position, 0, article);
}
