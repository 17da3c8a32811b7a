import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { useQuery } from '../../query.ts';
import { Badge, Button, ButtonLink, Card, EmptyState, Page, QueryView, SelectField } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { EvaluationSummary, shareOf } from './evaluation-summary.tsx';
import type { Evaluation, Failure, Knowledge, Run } from './knowledge-types.ts';
import { type Scope, useScope } from './scope.ts';

/** Results of an evaluation: failures, and changes since the previous one. */
export function EvaluationPage({ id }: { id: string }): VNode {
  const scope = useScope();
  const knowledge = useQuery<Knowledge>({
    queryKey: ['knowledge', scope.key],
    queryFn: ({ signal }) => callConsole<Knowledge>('GET', scope.pathOf(''), { signal }),
  });
  return (
    <Page
      title="Evaluation"
      summary="Test conversations that check what the agent must and must not answer."
      actions={
        <ButtonLink href={scope.linkTo('')} icon="back">
          All articles
        </ButtonLink>
      }
    >
      <QueryView query={knowledge}>
        {({ evaluation }) => {
          const shown = id === '' ? String(evaluation.runs[0]?.id ?? '') : id;
          return (
            <>
              <EvaluationSummary evaluation={evaluation} scope={scope} />
              {shown === '' ? (
                <EmptyState title="No results yet" icon="bench">
                  A run says which of the conversations the agent answers as it should.
                </EmptyState>
              ) : (
                <OneRun key={shown} id={shown} runs={evaluation.runs} scope={scope} />
              )}
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

function OneRun({ id, runs, scope }: { id: string; runs: readonly Run[]; scope: Scope }): VNode {
  const query = useQuery<Evaluation>({
    queryKey: ['knowledge', scope.key, 'evaluation', id],
    queryFn: ({ signal }) =>
      callConsole<Evaluation>('GET', scope.pathOf(`/evaluations/${encodeURIComponent(id)}`), { signal }),
  });
  return (
    <>
      <ol class="knowledge-runs" aria-label="Recent evaluations">
        {runs.map((run) => (
          <li key={run.id}>
            <a
              href={scope.linkTo(`/evaluation/${run.id}`)}
              aria-current={String(run.id) === id ? 'page' : undefined}
            >
              <strong>{shareOf(run)}</strong>
              <small>
                {new Date(run.at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })}
                {run.draft_slug !== null && ' · draft'}
              </small>
            </a>
          </li>
        ))}
      </ol>
      <QueryView query={query}>{(data) => <Outcome data={data} />}</QueryView>
    </>
  );
}

const SHOWN = 50;

function Outcome({ data: { run, before, failures, fixed } }: { data: Evaluation }): VNode {
  const [search, change] = useSearch();
  const [limit, setLimit] = useState(SHOWN);
  const category = search.get('category') ?? '';
  const isNewOnly = search.get('failed') === 'new';
  const fresh = failures.filter((failure) => failure.is_new === true);
  const rows = failures.filter(
    (failure) =>
      (category === '' || failure.category === category) && (!isNewOnly || failure.is_new === true),
  );
  const categories = [...new Set(failures.map((failure) => failure.category))].sort();
  return (
    <>
      {before !== null && (
        <p>
          Compared with the previous run ({shareOf(before)}):{' '}
          <Badge tone={fresh.length > 0 ? 'danger' : 'neutral'}>{fresh.length} newly failed</Badge>{' '}
          <Badge tone={fixed.length > 0 ? 'good' : 'neutral'}>{fixed.length} fixed</Badge>
        </p>
      )}
      {failures.length === 0 ? (
        <EmptyState title={`All ${run.total.toLocaleString()} conversations passed.`} icon="check" />
      ) : (
        <Card title={`Failed: ${failures.length.toLocaleString()}`}>
          <div class="toolbar knowledge-filters">
            <SelectField
              label="Category"
              value={category}
              options={[['', 'All'], ...categories.map((name) => [name, name] as const)]}
              onChange={({ currentTarget }) => change({ category: currentTarget.value })}
            />
            {before !== null && (
              <SelectField
                label="Failed"
                value={isNewOnly ? 'new' : ''}
                options={[
                  ['', 'All'],
                  ['new', 'Newly'],
                ]}
                onChange={({ currentTarget }) => change({ failed: currentTarget.value })}
              />
            )}
          </div>
          {rows.length === 0 && <EmptyState title="No failures" icon="check" />}
          <ul class="knowledge-failures">
            {rows.slice(0, limit).map((failure) => (
              <FailureItem key={`${failure.category} ${failure.say.join('\n')}`} failure={failure} />
            ))}
          </ul>
          {rows.length > limit && (
            <Button onClick={() => setLimit(rows.length)}>Show all {rows.length.toLocaleString()}</Button>
          )}
        </Card>
      )}
      {fixed.length > 0 && (
        <Card title={`Fixed: ${fixed.length.toLocaleString()}`}>
          <ul class="knowledge-failures">
            {fixed.slice(0, SHOWN).map(({ category: of, say }) => (
              <li key={`${of} ${say.join('\n')}`}>
                {say.join(' / ')} <small>{of}</small>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function FailureItem({
  failure: { category, say, answer, problems, is_new: isNew },
}: {
  failure: Failure;
}): VNode {
  return (
    <li>
      <details>
        <summary>
          <span class="grow">{say.join(' / ')}</span>
          {isNew === true && <Badge tone="danger">new</Badge>}
          <small>{category}</small>
        </summary>
        <p class="problem">{problems.join('; ')}</p>
        <div class="knowledge-try-answer">
          {answer === '' ? <p class="quiet">No answer.</p> : <Markdown text={answer} />}
        </div>
      </details>
    </li>
  );
}
