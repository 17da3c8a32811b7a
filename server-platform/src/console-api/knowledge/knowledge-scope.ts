import { listConnectors } from '../../accounts/index.ts';
import {
  type AgentSource,
  type Article,
  type ArticleText,
  isArticleSlug,
  parseArticle,
  readArticleText,
  writeArticleText,
} from '../../agents/index.ts';
import type { ArticleScope } from '../../agents/projects/index.ts';
import { storableText } from '../../db/index.ts';
import { DeskError } from '../../staff/index.ts';
import type { ConsoleCall } from '../console-call.ts';
import type { AgentQuery, ArticleFields, Draft } from './knowledge-schemas.ts';

/** The agent that a call is about, in its project. */
export interface KnowledgeScope extends ArticleScope {
  /** The agents of the project whose articles can be edited. */
  readonly agents: readonly { readonly name: string; readonly shownName: string }[];
  readonly source: AgentSource;
}

type Call = ConsoleCall<unknown, AgentQuery>;

/** Finds the agent that a call names, among those that answer in its project. */
export async function requireScope({ findProject, query, server }: Call): Promise<KnowledgeScope> {
  const project = await findProject();
  const connectors = await listConnectors(server.database, project);
  const names = new Set([
    project.agent,
    ...project.variants.map(({ agent }) => agent),
    ...connectors.filter(({ revokedAtMs }) => revokedAtMs === null).map(({ agent }) => agent),
  ]);
  const agents = [...names].flatMap((name) => {
    const source = name === null ? null : server.projectAgents.findSource(name ?? '');
    return name == null || source === null ? [] : [{ name, shownName: source.config.name, source }];
  });
  const wanted = query.agent === undefined ? agents[0] : agents.find(({ name }) => name === query.agent);
  if (wanted === undefined)
    throw new DeskError(
      404,
      'NO_ARTICLES',
      query.agent === undefined
        ? 'No agent of this project answers from articles that can be edited here.'
        : 'There is no such agent in the project: see GET /console/api/knowledge.',
    );
  return {
    projectId: project.id,
    agent: wanted.name,
    source: wanted.source,
    agents: agents.map(({ name, shownName }) => ({ name, shownName })),
  };
}

/** The name of an article in the path of a call. */
export function requireSlug({ params }: Pick<Call, 'params'>, { source }: KnowledgeScope): string {
  return checkSlug(params['slug'] ?? '', source);
}

function checkSlug(slug: string, { mainLanguage }: AgentSource): string {
  if (isArticleSlug(slug, mainLanguage) && slug.length <= 100) return slug;
  throw new DeskError(
    400,
    'INVALID',
    'The name of an article has lower-case letters and digits, in words joined by hyphens: car-fares, or de/car-fares for a translation into German.',
  );
}

/** The file that holds these fields. Refuses what no agent could read. */
export function writeArticle(slug: string, { has_page, ...fields }: ArticleFields): string {
  const source = storableText(writeArticleText({ ...fields, hasPage: has_page }));
  const parsed = parseArticle(slug, source);
  if (parsed.kind === 'article') return source;
  throw new DeskError(400, 'INVALID', `The article cannot be used: ${parsed.problem}.`);
}

/** The fields of an article file that was read before. */
export function readArticle(source: string): ArticleFields {
  const read = readArticleText(source);
  if (read.kind === 'invalid') throw new DeskError(409, 'NOT_READABLE', `The article: ${read.problem}.`);
  const { hasPage, body, ...fields }: ArticleText = read.text;
  const { title, category, keywords, questions, suggestions } = fields;
  const lists = { keywords: [...keywords], questions: [...questions], suggestions: [...suggestions] };
  return { title, category, ...lists, has_page: hasPage, body };
}

/** A draft as an agent reads it; null: there is none. */
export function readDraft(draft: Draft, source: AgentSource): Article | null {
  if (draft === null) return null;
  const { slug, ...fields } = draft;
  const parsed = parseArticle(checkSlug(slug, source), writeArticle(slug, fields));
  return parsed.kind === 'article' ? parsed.article : null;
}
