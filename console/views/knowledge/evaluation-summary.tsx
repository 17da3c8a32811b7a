import type { VNode } from 'preact';
import { Button, ButtonLink, Card, Progress, showToast, Time, tryTo } from '../../ui/index.ts';
import type { Draft, Knowledge, Run } from './knowledge-types.ts';
import { finished, runEvaluation, running, stopEvaluation } from './run-evaluation.ts';
import type { Scope } from './scope.ts';

/** The share of a run that was passed, such as `95.6 %`. */
export const shareOf = ({ passed, total }: Run): string =>
  total === 0 ? '–' : `${((100 * passed) / total).toFixed(1)}%`;

/** Results of the last evaluation and the one before it. */
export function EvaluationSummary({
  evaluation: { conversations, runs },
  scope,
}: {
  evaluation: Knowledge['evaluation'];
  scope: Scope;
}): VNode {
  const [last, before] = runs;
  return (
    <Card
      title="Evaluation"
      actions={
        <>
          {last !== undefined && (
            <ButtonLink href={scope.linkTo(`/evaluation/${last.id}`)}>View failures</ButtonLink>
          )}
          {conversations > 0 && <RunButton scope={scope} draft={null} />}
        </>
      }
    >
      {running.value !== null && <EvaluationProgress scope={scope} />}
      <p>
        {last === undefined ? (
          <span class="quiet">
            {conversations === 0
              ? 'No test conversations yet. Add YAML files to the evaluation folder next to the articles.'
              : `${conversations.toLocaleString()} conversations, not run yet.`}
          </span>
        ) : (
          <>
            <strong>{shareOf(last)}</strong> passed, {last.passed.toLocaleString()} of{' '}
            {last.total.toLocaleString()}
            {before !== undefined && `, ${shareOf(before)} before`}
            <span class="quiet">
              {' '}
              · {last.draft_slug !== null && `with a draft of ${last.draft_slug} · `}
              <Time at={last.at} /> · {last.by}
            </span>
          </>
        )}
      </p>
    </Card>
  );
}

/** Runs the evaluation. Its result is shown on the current view. */
export function RunButton({
  scope,
  draft,
  label = 'Run evaluation',
  isReady = true,
}: {
  scope: Scope;
  draft: Draft | null;
  label?: string;
  /** Whether the draft is a complete article. */
  isReady?: boolean;
}): VNode {
  const run = (): Promise<boolean> =>
    tryTo(async () => {
      if (await runEvaluation(scope, draft)) showToast('Evaluation finished');
    });
  return (
    <Button icon="bench" isBusy={running.value !== null} isReady={isReady} onClick={() => void run()}>
      {label}
    </Button>
  );
}

/** Progress of this agent's evaluation, and a link to its results. */
export function EvaluationProgress({ scope }: { scope: Scope }): VNode | null {
  const progress = running.value;
  if (finished.value?.key === scope.key)
    return (
      <p>
        Evaluation finished. <a href={scope.linkTo(`/evaluation/${finished.value.id}`)}>View failures</a>
      </p>
    );
  if (progress === null || progress.key !== scope.key) return null;
  const { done, total, failed } = progress;
  return (
    <div class="knowledge-evaluation-progress">
      <Progress label={`Evaluating, ${failed} failed so far:`} done={done} total={total} />
      <Button onClick={stopEvaluation}>Stop</Button>
    </div>
  );
}
