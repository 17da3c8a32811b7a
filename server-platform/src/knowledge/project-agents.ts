import {
  type Agent,
  type AgentSource,
  type Article,
  type BuiltAgent,
  parseArticle,
} from '../agents/index.ts';
import type { Sql } from '../db/index.ts';
import { type ArticleScope, countVersions, type LatestVersion, listLatest } from './article-versions.ts';

/** What the agents of projects are made of. */
export interface ProjectAgentsOptions {
  readonly database: Sql;
  /** Agents without articles of ours, by name. */
  readonly given: ReadonlyMap<string, Agent>;
  /** The built-in agents, by the names of their configurations. */
  readonly sources: ReadonlyMap<string, AgentSource>;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The articles that a project has edited, and the agent over them once it was asked for. */
interface Edited {
  readonly versions: number;
  readonly latest: readonly LatestVersion[];
  built: BuiltAgent | null;
}

/**
 * The agents as each project has them: those of the configuration, over the articles that the project's people have
 * edited. An agent that was found stays the same object; each of its turns reads the articles of that moment.
 */
export class ProjectAgents {
  readonly #options: ProjectAgentsOptions;
  /** Over the articles of the files alone. */
  readonly #plain = new Map<string, BuiltAgent>();
  readonly #edited = new Map<string, Edited>();
  readonly #found = new Map<string, Agent>();
  #refreshing: Promise<void> = Promise.resolve();

  constructor(options: ProjectAgentsOptions) {
    this.#options = options;
    for (const [name, source] of options.sources) this.#plain.set(name, source.build(source.articles));
  }

  /** Names of all agents. */
  get names(): readonly string[] {
    return [...new Set([...this.#options.given.keys(), ...this.#options.sources.keys()])];
  }

  /** The agent of a name as a project has it; null: there is none of that name. */
  find(name: string, projectId: string): Agent | null {
    const given = this.#options.given.get(name);
    if (given !== undefined) return given;
    const plain = this.#plain.get(name);
    if (plain === undefined) return null;
    const key = keyOf({ projectId, agent: name });
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const run: Agent['run'] = (turn) => (this.#build({ projectId, agent: name }) ?? plain).agent.run(turn);
    const { avatarUrl } = plain.agent;
    const found = { name: plain.agent.name, avatarUrl, run };
    this.#found.set(key, found);
    return found;
  }

  /** What an agent was read from; null: its articles are not ours, or there is no such agent. */
  findSource(name: string): AgentSource | null {
    return this.#options.given.has(name) ? null : (this.#options.sources.get(name) ?? null);
  }

  /** The articles of a project, with a draft in place of the one of its name. The source must be there. */
  articlesOf(scope: ArticleScope, draft: Article | null = null): readonly Article[] {
    const source = this.findSource(scope.agent);
    if (source === null) throw new RangeError(`The agent ${scope.agent} has no articles.`);
    const edited = this.#edited.get(keyOf(scope))?.latest ?? [];
    const articles = mergeArticles(source.articles, edited, this.#options.onFailure);
    return draft === null ? articles : replace(articles, draft.slug, draft);
  }

  /** Takes up what was published since, on whichever node. Rejects when the database cannot be read. */
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
      const latest = await listLatest(database, scope);
      this.#edited.set(key, { versions, latest, built: null });
    }
  }

  /** The agent over the edited articles; null: none was edited. Making it takes as long as reading the articles. */
  #build(scope: ArticleScope): BuiltAgent | null {
    const edited = this.#edited.get(keyOf(scope));
    const source = this.findSource(scope.agent);
    if (edited === undefined || source === null) return null;
    edited.built ??= source.build(this.articlesOf(scope));
    return edited.built;
  }
}

// No project's id has a space.
const keyOf = ({ projectId, agent }: ArticleScope): string => `${projectId} ${agent}`;

/** The articles of the files, each in the version of the project where there is one. */
function mergeArticles(
  files: readonly Article[],
  edited: readonly LatestVersion[],
  onFailure: ProjectAgentsOptions['onFailure'],
): readonly Article[] {
  let articles = files;
  for (const { slug, kind, source } of edited) {
    if (kind === 'file') continue;
    const parsed = source === null ? null : parseArticle(slug, source);
    if (parsed?.kind === 'invalid') {
      // It was checked when it was published: by an earlier release, whose rules were others.
      onFailure('read an edited article', new Error(`${slug}: ${parsed.problem}. Publish it again.`));
      continue;
    }
    articles = replace(articles, slug, parsed?.article ?? null);
  }
  return articles;
}

/** Puts an article in the place of the one of its name, or takes that away. The order stays that of the names. */
function replace(articles: readonly Article[], slug: string, article: Article | null): readonly Article[] {
  const others = articles.filter((each) => each.slug !== slug);
  if (article === null) return others;
  const position = articles.findIndex((each) => each.slug === slug);
  return others.toSpliced(position < 0 ? others.length : position, 0, article);
}
