import { diffWordsWithSpace } from 'diff';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { queryClient, useQuery } from '../../query.ts';
import { Badge, Button, Card, Dialog, QueryView, showToast, Time, tryTo } from '../../ui/index.ts';
import type { Article, ArticleAnswer, ArticleVersion } from './knowledge-types.ts';
import { refreshKnowledge, type Scope } from './scope.ts';

const KINDS = { published: 'Published', deleted: 'Deleted', file: 'Restored the built-in version' } as const;

/** The versions of an article, the newest first, each of them with a way back. */
export function History({ answer, scope }: { answer: ArticleAnswer; scope: Scope }): VNode {
  const [compared, setCompared] = useState<number | null>(null);
  const { versions, has_file: hasFile, number } = answer;
  const restore = async (wanted: number): Promise<void> => {
    const path = scope.pathOf(`/articles/${encodeURIComponent(answer.slug)}/restore`);
    await tryTo(async () => {
      const changed = await callConsole<ArticleAnswer>('POST', path, {
        body: { base: number, number: wanted },
      });
      queryClient.setQueryData(['knowledge', scope.key, 'article', answer.slug], changed);
      showToast(wanted === 0 ? 'Restored the built-in article' : `Restored version ${wanted}`);
      setCompared(null);
    });
    await refreshKnowledge();
  };
  return (
    <Card title="History">
      {versions.length === 0 && <p class="quiet">Built-in article, not changed in the console.</p>}
      <ol class="knowledge-history">
        {versions.map((version) => (
          <Version
            key={version.number}
            version={version}
            isShown={version.number === number}
            onCompare={() => setCompared(version.number)}
          />
        ))}
        {hasFile && versions.length > 0 && (
          <li>
            <span class="grow">
              <strong>Built-in version</strong>
              <br />
              <small>from the configuration</small>
            </span>
            {answer.state === 'file' ? (
              <Badge tone="accent">counts</Badge>
            ) : (
              <Button aria-label="Compare the built-in version" onClick={() => setCompared(0)}>
                Compare
              </Button>
            )}
          </li>
        )}
      </ol>
      {compared !== null && (
        <CompareDialog
          answer={answer}
          number={compared}
          scope={scope}
          onRestore={() => restore(compared)}
          onClose={() => setCompared(null)}
        />
      )}
    </Card>
  );
}

function Version({
  version: { number, kind, by, at, restored_from: restoredFrom },
  isShown,
  onCompare,
}: {
  version: ArticleVersion;
  isShown: boolean;
  onCompare: () => void;
}): VNode {
  return (
    <li>
      <span class="grow">
        <strong>
          {KINDS[kind]} {restoredFrom !== null && `(version ${restoredFrom} again)`}
        </strong>
        <br />
        <small>
          {number} · <Time at={at} /> · {by}
        </small>
      </span>
      {isShown && kind !== 'deleted' && <Badge tone="accent">counts</Badge>}
      {!isShown && kind === 'published' && (
        <Button aria-label={`Compare version ${number}`} onClick={onCompare}>
          Compare
        </Button>
      )}
    </li>
  );
}

/** An article as one text, so that every change of it shows. */
function toText({ title, category, questions, keywords, suggestions, body }: Article): string {
  return [
    `# ${title}`,
    ...(category === null ? [] : [`Category: ${category}`]),
    ...(keywords.length === 0 ? [] : [`Keywords: ${keywords.join(', ')}`]),
    ...questions.map((question) => `? ${question}`),
    ...suggestions.map((suggestion) => `> ${suggestion}`),
    '',
    body.trim(),
  ].join('\n');
}

function CompareDialog({
  answer,
  number,
  scope,
  onRestore,
  onClose,
}: {
  answer: ArticleAnswer;
  number: number;
  scope: Scope;
  onRestore: () => Promise<void>;
  onClose: () => void;
}): VNode {
  const query = useQuery<Article>({
    queryKey: ['knowledge', scope.key, 'version', answer.slug, number],
    queryFn: ({ signal }) =>
      callConsole<Article>(
        'GET',
        scope.pathOf(`/articles/${encodeURIComponent(answer.slug)}/versions/${number}`),
        { signal },
      ),
  });
  const [isBusy, setBusy] = useState(false);
  const name = number === 0 ? 'the built-in version' : `version ${number}`;
  const now = answer.article === null ? '' : toText(answer.article);
  return (
    <Dialog title={`Changes when restoring ${name}`} className="knowledge-compare" onClose={onClose}>
      <QueryView query={query}>
        {(article) => (
          <pre class="knowledge-diff">
            {diffWordsWithSpace(now, toText(article)).map(({ value, added, removed }, position) => {
              const key = `${position} ${value}`;
              if (added) return <ins key={key}>{value}</ins>;
              return removed ? <del key={key}>{value}</del> : <span key={key}>{value}</span>;
            })}
          </pre>
        )}
      </QueryView>
      <div class="dialog-actions">
        <Button onClick={onClose}>Close</Button>
        <Button
          kind="main"
          isBusy={isBusy}
          onClick={() => {
            setBusy(true);
            void onRestore().finally(() => setBusy(false));
          }}
        >
          Restore {name}
        </Button>
      </div>
    </Dialog>
  );
}
