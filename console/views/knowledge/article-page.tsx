import type { VNode } from 'preact';
import { callConsole } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { useQuery } from '../../query.ts';
import { ButtonLink, EmptyState, Page, QueryView, Time } from '../../ui/index.ts';
import { ArticleEditor } from './article-editor.tsx';
import { StateBadge } from './article-list.tsx';
import { History } from './history.tsx';
import type { Article, ArticleAnswer } from './knowledge-types.ts';
import { type Scope, useScope } from './scope.ts';

/** One article: edited, tried, and its history. */
export function ArticlePage({ slug }: { slug: string }): VNode {
  const scope = useScope();
  const query = useQuery<ArticleAnswer>({
    queryKey: ['knowledge', scope.key, 'article', slug],
    queryFn: ({ signal }) =>
      callConsole<ArticleAnswer>('GET', scope.pathOf(`/articles/${encodeURIComponent(slug)}`), { signal }),
  });
  return (
    <QueryView query={query}>
      {(answer) =>
        answer.article === null ? (
          <Deleted answer={answer} scope={scope} />
        ) : (
          <ArticleEditor
            // Another version is another text to begin with.
            key={answer.number}
            answer={answer}
            begin={answer.article}
            scope={scope}
          />
        )
      }
    </QueryView>
  );
}

function Deleted({ answer, scope }: { answer: ArticleAnswer; scope: Scope }): VNode {
  const { slug, versions } = answer;
  const [latest] = versions;
  return (
    <Page
      title={slug}
      summary={<StateBadge state="deleted" />}
      actions={
        <ButtonLink href={scope.linkTo('')} icon="back">
          All articles
        </ButtonLink>
      }
    >
      <EmptyState title="This article was deleted" icon="book">
        {latest !== undefined && (
          <>
            Deleted <Time at={latest.at} /> by {latest.by}. You can restore it from its history.
          </>
        )}
      </EmptyState>
      <History answer={answer} scope={scope} />
    </Page>
  );
}

/** A new article; `?question=` is a question that it is to answer. */
export function NewArticle(): VNode {
  const scope = useScope();
  const [search] = useSearch();
  const question = search.get('question')?.trim() ?? '';
  const begin: Article = {
    title: '',
    category: null,
    keywords: [],
    questions: question === '' ? [] : [question],
    suggestions: [],
    has_page: false,
    body: '',
  };
  return <ArticleEditor key={question} answer={null} begin={begin} question={question} scope={scope} />;
}
