import { setImmediate } from 'node:timers/promises';
import { loadConversations } from '../../agents/index.ts';
import {
  type ArticleVersion,
  addVersion,
  listLatest,
  listRuns,
  listVersions,
} from '../../agents/projects/index.ts';
import { DeskError } from '../../staff/index.ts';
import { audit, type ConsoleCall, type ConsoleRoute, consoleRoute } from '../console-call.ts';
import { viewRun } from './evaluation-routes.ts';
import {
  type AgentQuery,
  agentQuery,
  articleAnswer,
  articleView,
  deleteBody,
  knowledgeView,
  publishBody,
  restoreBody,
} from './knowledge-schemas.ts';
import {
  type KnowledgeScope,
  readArticle,
  requireScope,
  requireSlug,
  writeArticle,
} from './knowledge-scope.ts';

type State = 'file' | 'edited' | 'added' | 'deleted';

function stateOf(latest: Pick<ArticleVersion, 'kind'> | undefined, hasFile: boolean): State {
  if (latest === undefined || latest.kind === 'file') return hasFile ? 'file' : 'deleted';
  if (latest.kind === 'deleted') return 'deleted';
  return hasFile ? 'edited' : 'added';
}

/** The articles of an agent by name: built-in and edited ones. */
async function listArticles({ server }: Pick<ConsoleCall, 'server'>, scope: KnowledgeScope) {
  const { files, articles } = scope.source;
  const rows = new Map(
    articles.map(({ slug, title, category }) => [
      slug,
      {
        slug,
        title,
        category,
        state: 'file' as State,
        changed_at: null as string | null,
        changed_by: null as string | null,
      },
    ]),
  );
  for (const latest of await listLatest(server.database, scope)) {
    const { slug, source, author, createdAtMs } = latest;
    // Very many long articles take hundreds of milliseconds.
    await setImmediate();
    const own = source === null ? null : readArticle(source);
    const { title = slug, category = null } = own ?? rows.get(slug) ?? {};
    rows.set(slug, {
      ...{ slug, title, category, state: stateOf(latest, files.has(slug)), changed_by: author },
      changed_at: new Date(createdAtMs).toISOString(),
    });
  }
  return [...rows.values()].sort((one, other) => one.title.localeCompare(other.title));
}

/** The text of a version; null: it has none. 0: the file's. */
function textOfVersion(
  versions: readonly ArticleVersion[],
  number: number,
  { source }: KnowledgeScope,
  slug: string,
): string | null {
  const version = versions.find((each) => each.number === number);
  if (number !== 0 && version === undefined)
    throw new DeskError(404, 'NOT_FOUND', 'The article has no such version.');
  return number === 0 || version?.kind === 'file'
    ? (source.files.get(slug) ?? null)
    : (version?.source ?? null);
}

async function viewArticle({ server }: Pick<ConsoleCall, 'server'>, scope: KnowledgeScope, slug: string) {
  const versions = await listVersions(server.database, scope, slug);
  const hasFile = scope.source.files.has(slug);
  if (versions.length === 0 && !hasFile)
    throw new DeskError(404, 'NOT_FOUND', 'There is no such article: see GET /console/api/knowledge.');
  const [latest] = versions;
  const text = textOfVersion(versions, latest?.number ?? 0, scope, slug);
  return {
    slug,
    article: text === null ? null : readArticle(text),
    state: stateOf(latest, hasFile),
    number: latest?.number ?? 0,
    has_file: hasFile,
    versions: versions.map(({ number, kind, restoredFrom, author, createdAtMs }) => ({
      ...{ number, kind, restored_from: restoredFrom, by: author },
      at: new Date(createdAtMs).toISOString(),
    })),
  };
}

/** Adds a version for the person of a call: on record, and what the agents of this node answer from. */
async function change(
  call: ConsoleCall<unknown, AgentQuery>,
  scope: KnowledgeScope,
  action: string,
  base: number,
  version: Pick<ArticleVersion, 'kind' | 'source' | 'restoredFrom'>,
) {
  const { server, person } = call;
  const slug = requireSlug(call, scope);
  const added = { ...version, author: person.email, createdAtMs: server.clock.now() };
  if (!(await addVersion(server.database, scope, slug, base, added)))
    throw new DeskError(
      409,
      'CHANGED_MEANWHILE',
      'Another person changed this article in the meantime. Review the history, then publish again.',
    );
  await audit(call, action, `${scope.agent}/${slug}`);
  await server.projectAgents.refresh();
  return await viewArticle(call, scope, slug);
}

const ARTICLE = '/knowledge/articles/{slug}';

/** The calls about articles. */
export const ARTICLE_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleKnowledge', method: 'GET', path: '/knowledge', query: agentQuery },
      summary: 'The articles that an agent of the project answers from, and its evaluations.',
      answer: knowledgeView,
    },
    async (call) => {
      const scope = await requireScope(call);
      const { knowledgeFolder } = scope.source.config;
      const [articles, conversations, runs] = await Promise.all([
        listArticles(call, scope),
        knowledgeFolder === null ? new Map() : loadConversations(knowledgeFolder),
        listRuns(call.server.database, scope),
      ]);
      const count = [...conversations.values()].reduce((sum, { length }) => sum + length, 0);
      return {
        agents: scope.agents.map(({ name, shownName }) => ({ name, shown_name: shownName })),
        agent: scope.agent,
        articles,
        evaluation: { conversations: count, runs: runs.map(viewRun) },
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleArticle', method: 'GET', path: ARTICLE, query: agentQuery, answer: articleAnswer },
      summary: 'One article with its history, the newest version first.',
    },
    async (call) => {
      const scope = await requireScope(call);
      return await viewArticle(call, scope, requireSlug(call, scope));
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleArticleVersion', method: 'GET', path: `${ARTICLE}/versions/{number}` },
      ...{ query: agentQuery, answer: articleView },
      summary: 'The text of one version; version 0 is the file.',
    },
    async (call) => {
      const scope = await requireScope(call);
      const slug = requireSlug(call, scope);
      const versions = await listVersions(call.server.database, scope, slug);
      const text = textOfVersion(versions, Number(call.params['number']), scope, slug);
      if (text === null) throw new DeskError(404, 'NO_TEXT', 'This version has no text.');
      return readArticle(text);
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleArticlePublish', method: 'PUT', path: ARTICLE, query: agentQuery, body: publishBody },
      ...{ answer: articleAnswer },
      summary: 'Publish an article over the version `base`; 0: over the file; null: as a new one.',
    },
    async (call) => {
      const scope = await requireScope(call);
      const source = writeArticle(requireSlug(call, scope), call.body.article);
      const version = { kind: 'published', source, restoredFrom: null } as const;
      const { base } = call.body;
      if (base === null && scope.source.files.has(requireSlug(call, scope)))
        throw new DeskError(409, 'EXISTS', 'There is an article of this name: choose another one.');
      return await change(call, scope, 'publish_article', base ?? 0, version);
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleArticleDelete', method: 'POST', path: `${ARTICLE}/delete`, query: agentQuery },
      ...{ body: deleteBody, answer: articleAnswer },
      summary: 'Take an article away, which is a version too.',
    },
    async (call) => {
      const scope = await requireScope(call);
      const { article } = await viewArticle(call, scope, requireSlug(call, scope));
      if (article === null) throw new DeskError(409, 'DELETED', 'The article is deleted already.');
      const version = { kind: 'deleted', source: null, restoredFrom: null } as const;
      return await change(call, scope, 'delete_article', call.body.base, version);
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleArticleRestore', method: 'POST', path: `${ARTICLE}/restore`, query: agentQuery },
      ...{ body: restoreBody, answer: articleAnswer },
      summary: 'Publish an earlier version again; 0: follow the file again.',
    },
    async (call) => {
      const scope = await requireScope(call);
      const { base, number } = call.body;
      const versions = await listVersions(call.server.database, scope, requireSlug(call, scope));
      const text = textOfVersion(versions, number, scope, requireSlug(call, scope));
      if (text === null) throw new DeskError(404, 'NO_TEXT', 'This version has no text to go back to.');
      const isFile = number === 0;
      const version = isFile
        ? ({ kind: 'file', source: null, restoredFrom: null } as const)
        : ({ kind: 'published', source: text, restoredFrom: number } as const);
      return await change(call, scope, 'restore_article', base, version);
    },
  ),
];
