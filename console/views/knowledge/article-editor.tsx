import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { callConsole } from '../../call-platform.ts';
import { queryClient } from '../../query.ts';
import {
  Badge,
  Button,
  ButtonLink,
  ConfirmDialog,
  Page,
  showToast,
  tryTo,
  useCommands,
} from '../../ui/index.ts';
import { ArticleFields } from './article-fields.tsx';
import { StateBadge } from './article-list.tsx';
import { keepDraft, readDraft, toSlug } from './drafts.ts';
import { EvaluationProgress, RunButton } from './evaluation-summary.tsx';
import { History } from './history.tsx';
import type { Article, ArticleAnswer } from './knowledge-types.ts';
import { refreshKnowledge, type Scope } from './scope.ts';
import { TryOut } from './try-out.tsx';

interface EditorProps {
  /** Null: the article is new. */
  readonly answer: ArticleAnswer | null;
  /** The text to begin with. */
  readonly begin: Article;
  /** Questions that the new article should answer. */
  readonly question?: string;
  readonly scope: Scope;
}

/** Edits an article beside what the agent would answer with it. */
export function ArticleEditor({ answer, begin, question = '', scope }: EditorProps): VNode {
  const { route } = useLocation();
  const place = answer?.slug ?? `new ${question}`;
  const [kept] = useState(() => readDraft(scope.key, place));
  const [article, setArticle] = useState(kept?.article ?? begin);
  const [slug, setSlug] = useState(answer?.slug ?? kept?.slug ?? '');
  const [base, setBase] = useState(kept === null ? (answer?.number ?? null) : kept.base);
  const [isBusy, setBusy] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const isDirty = JSON.stringify(article) !== JSON.stringify(begin);
  const isOld = answer !== null && base !== answer.number;
  const name = slug === '' ? toSlug(article.title) : slug;
  const edit = (next: Article, nextSlug = slug): void => {
    setArticle(next);
    setSlug(nextSlug);
    keepDraft(scope.key, place, { slug: nextSlug, article: next, base });
  };
  const discard = (): void => {
    keepDraft(scope.key, place, null);
    setArticle(begin);
    setSlug(answer?.slug ?? '');
    setBase(answer?.number ?? null);
  };
  const publish = async (): Promise<void> => {
    setBusy(true);
    const path = scope.pathOf(`/articles/${encodeURIComponent(name)}`);
    const isDone = await tryTo(async () => {
      await callConsole('PUT', path, { body: { base, article } });
      keepDraft(scope.key, place, null);
      showToast('Published. Changes apply to the next answer');
    });
    setBusy(false);
    if (isDone && answer === null) route(scope.linkTo(`/articles/${name}`), true);
    // After a refusal the page shows what the others have done meanwhile; the draft stays.
    await refreshKnowledge();
  };
  useCommands(`article ${place} ${JSON.stringify(article)}`, [
    { group: 'Article', name: 'Publish', run: () => void publish() },
    { group: 'Article', name: 'Discard draft', run: discard },
  ]);
  const draft = isDirty || answer === null ? { ...article, slug: name || 'new-article' } : null;
  const canPublish = isDirty && name !== '' && article.title.trim() !== '' && article.body.trim() !== '';
  return (
    <Page
      title={answer === null ? 'New article' : begin.title}
      summary={
        <>
          {answer !== null && <StateBadge state={answer.state} />}{' '}
          {isDirty && <Badge tone="warning">Unpublished draft</Badge>}
        </>
      }
      actions={
        <>
          <ButtonLink href={scope.linkTo('')} icon="back">
            All articles
          </ButtonLink>
          {answer !== null && (
            <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          )}
          {isDirty && <Button onClick={discard}>Discard</Button>}
          <Button kind="main" isBusy={isBusy} isReady={canPublish} onClick={() => void publish()}>
            Publish
          </Button>
        </>
      }
    >
      {isOld && (
        <p role="alert">
          This draft is based on version {base}, but version {answer.number} is now published. Review the
          history, then <Button onClick={() => takeUp(answer.number)}>publish anyway</Button>
        </p>
      )}
      <div class="knowledge-article-columns">
        <ArticleFields
          article={article}
          slug={name}
          canRename={answer === null}
          onEdit={edit}
          scope={scope}
        />
        <div class="knowledge-article-side">
          <TryOut
            scope={scope}
            draft={draft}
            questions={article.questions}
            begin={question}
            onAdd={(asked) => edit({ ...article, questions: [...article.questions, asked] })}
          />
          <div class="toolbar">
            <RunButton
              scope={scope}
              draft={draft}
              label={draft === null ? 'Run evaluation' : 'Evaluate with this draft'}
              isReady={draft === null || canPublish}
            />
          </div>
          <EvaluationProgress scope={scope} />
          {answer !== null && <History answer={answer} scope={scope} />}
        </div>
      </div>
      {isDeleting && answer !== null && (
        <DeleteDialog answer={answer} scope={scope} onClose={() => setDeleting(false)} onDone={discard} />
      )}
    </Page>
  );

  function takeUp(number: number): void {
    setBase(number);
    keepDraft(scope.key, place, { slug, article, base: number });
  }
}

function DeleteDialog({
  answer: { slug, number, article },
  scope,
  onClose,
  onDone,
}: {
  answer: ArticleAnswer;
  scope: Scope;
  onClose: () => void;
  onDone: () => void;
}): VNode {
  const path = scope.pathOf(`/articles/${encodeURIComponent(slug)}/delete`);
  return (
    <ConfirmDialog
      title={`Delete “${article?.title ?? slug}”?`}
      confirmLabel="Delete article"
      onClose={onClose}
      onConfirm={async () => {
        const answer = await callConsole<ArticleAnswer>('POST', path, { body: { base: number } });
        onDone();
        queryClient.setQueryData(['knowledge', scope.key, 'article', slug], answer);
        await refreshKnowledge();
      }}
    >
      <p>The agent will stop using this article. You can restore it from its history.</p>
    </ConfirmDialog>
  );
}
