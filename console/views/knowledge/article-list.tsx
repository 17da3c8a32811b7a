import type { VNode } from 'preact';
import { useLocation } from 'preact-iso';
import { callConsole } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { useQuery } from '../../query.ts';
import {
  Badge,
  ButtonLink,
  type Column,
  EmptyState,
  Page,
  QueryView,
  SelectField,
  Table,
  TextField,
  Time,
  useCommands,
} from '../../ui/index.ts';
import { EvaluationSummary } from './evaluation-summary.tsx';
import type { ArticleRow, ArticleState, Knowledge } from './knowledge-types.ts';
import { type Scope, useScope } from './scope.ts';

const STATES = {
  file: ['Built in', 'neutral'],
  edited: ['edited', 'accent'],
  added: ['Added in console', 'good'],
  deleted: ['deleted', 'danger'],
} as const;

/** A label for the origin of an article. */
export function StateBadge({ state }: { state: ArticleState }): VNode {
  const [word, tone] = STATES[state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** The articles of an agent. */
export function ArticleList(): VNode {
  const scope = useScope();
  const { route } = useLocation();
  const query = useQuery<Knowledge>({
    queryKey: ['knowledge', scope.key],
    queryFn: ({ signal }) => callConsole<Knowledge>('GET', scope.pathOf(''), { signal }),
  });
  useCommands(`knowledge ${scope.key}`, [
    { group: 'Knowledge', name: 'New article', run: () => route(scope.linkTo('/new')) },
    { group: 'Knowledge', name: 'Evaluation', run: () => route(scope.linkTo('/evaluation')) },
  ]);
  return (
    <Page
      title="Knowledge"
      summary="Articles the agent answers from. Changes apply to the next answer."
      actions={
        <ButtonLink href={scope.linkTo('/new')} kind="main" icon="book">
          Write an article
        </ButtonLink>
      }
    >
      <QueryView query={query}>{(data) => <Content data={data} scope={scope} />}</QueryView>
    </Page>
  );
}

function Content({ data, scope }: { data: Knowledge; scope: Scope }): VNode {
  const [search, change] = useSearch();
  const words = (search.get('find') ?? '').toLowerCase();
  const [category, state] = [search.get('category') ?? '', search.get('state') ?? ''];
  const rows = data.articles.filter(
    (row) =>
      `${row.title} ${row.slug}`.toLowerCase().includes(words) &&
      (category === '' || row.category === category) &&
      (state === '' || row.state === state),
  );
  const categories = [...new Set(data.articles.flatMap((row) => row.category ?? []))].sort();
  return (
    <>
      <EvaluationSummary evaluation={data.evaluation} scope={scope} />
      <div class="toolbar knowledge-filters">
        {data.agents.length > 1 && (
          <SelectField
            label="Agent"
            value={data.agent}
            options={data.agents.map(({ name, shown_name }) => [name, `${shown_name} (${name})`])}
            onChange={({ currentTarget }) => change({ agent: currentTarget.value }, false)}
          />
        )}
        <TextField
          label="Find"
          type="search"
          value={search.get('find') ?? ''}
          onInput={({ currentTarget }) => change({ find: currentTarget.value })}
        />
        <SelectField
          label="Category"
          value={category}
          options={[['', 'All'], ...categories.map((name) => [name, name] as const)]}
          onChange={({ currentTarget }) => change({ category: currentTarget.value })}
        />
        <SelectField
          label="State"
          value={state}
          options={[['', 'All'], ...Object.entries(STATES).map(([name, [word]]) => [name, word] as const)]}
          onChange={({ currentTarget }) => change({ state: currentTarget.value })}
        />
      </div>
      {rows.length === 0 ? (
        <EmptyState title={data.articles.length === 0 ? 'No articles yet' : 'No matching articles'} />
      ) : (
        <div class="knowledge-articles">
          <Table
            caption={`Articles: ${rows.length}`}
            columns={columnsOf(scope)}
            rows={rows}
            keyOf={({ slug }) => slug}
          />
        </div>
      )}
    </>
  );
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' });

function columnsOf(scope: Scope): readonly Column<ArticleRow>[] {
  return [
    {
      header: 'Article',
      cell: ({ slug, title }) => (
        <>
          <a class="knowledge-article-link" href={scope.linkTo(`/articles/${slug}`)}>
            {title}
          </a>{' '}
          {slug.charAt(2) === '/' && <Badge>{LANGUAGES.of(slug.slice(0, 2))}</Badge>}
        </>
      ),
    },
    { header: 'Category', cell: ({ category }) => category ?? '–' },
    { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    {
      header: 'Changed',
      cell: ({ changed_at: at, changed_by: by }) =>
        at === null ? (
          '–'
        ) : (
          <>
            <Time at={at} /> <small>{by}</small>
          </>
        ),
    },
  ];
}
