import type { VNode } from 'preact';
import { hrefOf } from '../../location.ts';
import { Card, EmptyState, formatSeconds, Table } from '../../ui/index.ts';
import type { Overview } from './overview-types.ts';

/** The figures of the whole range. */
export function Figures({ data: { buckets, total } }: { data: Overview }): VNode {
  const sum = (read: (bucket: Overview['buckets'][number]) => number): number =>
    buckets.reduce((whole, bucket) => whole + read(bucket), 0);
  const conversations = sum((bucket) => bucket.conversations);
  const handoffs = sum((bucket) => bucket.handoffs);
  const rated = (total?.up ?? 0) + (total?.down ?? 0);
  const share = (part: number, whole: number): string =>
    whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`;
  const seconds = (ms: number | null | undefined): string => (ms == null ? '–' : formatSeconds(ms / 1_000));
  const figures = [
    ['Conversations', conversations.toLocaleString(), ''],
    ['Handed off', share(handoffs, conversations), `${handoffs.toLocaleString()} conversations`],
    ['Median answer', seconds(total?.p50), ''],
    ['95th percentile', seconds(total?.p95), ''],
    ['Helpful', share(total?.up ?? 0, rated), `of ${rated.toLocaleString()} ratings`],
    [
      'Satisfaction',
      total?.score == null ? '–' : `${total.score.toFixed(1)} of 5`,
      `of ${(total?.scored ?? 0).toLocaleString()} answers`,
    ],
    [
      'Not answered',
      share(total?.unanswered ?? 0, total?.turns ?? 0),
      `of ${(total?.turns ?? 0).toLocaleString()} turns`,
    ],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value} <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** How many conversations each name has. */
export function Shares({
  title,
  buckets,
  nameOf = (name) => name,
}: {
  title: string;
  buckets: readonly Readonly<Record<string, number>>[];
  nameOf?: (name: string) => string;
}): VNode {
  const sums = new Map<string, number>();
  for (const bucket of buckets)
    for (const [name, count] of Object.entries(bucket)) sums.set(name, (sums.get(name) ?? 0) + count);
  const rows = [...sums].sort((a, b) => b[1] - a[1]);
  return (
    <Card title={title}>
      <Table
        caption={`Conversations by ${title.toLowerCase()}`}
        isCaptionHidden
        columns={[
          { header: 'Name', cell: ([name]) => nameOf(name) },
          { header: 'Conversations', isNumber: true, cell: ([, count]) => count.toLocaleString() },
        ]}
        rows={rows}
        keyOf={([name]) => name}
      />
    </Card>
  );
}

/** What the agent could not answer, grouped: each group may be an article that is missing. */
export function Topics({ topics }: { topics: Overview['topics'] }): VNode {
  return (
    <Card title="Unanswered questions">
      {topics.length === 0 ? (
        <EmptyState title="No unanswered questions" icon="check" />
      ) : (
        <ul class="topics">
          {topics.map(({ word, count, questions }) => (
            <li key={word}>
              <details>
                <summary>
                  <strong>{word}</strong> <span class="badge">{count}</span>
                  <span class="quiet topic-example" dir="auto">
                    {questions[0]?.question}
                  </span>
                </summary>
                <ul>
                  {questions.map(({ question, id }) => (
                    <li key={`${id} ${question}`} class="topic-question">
                      <a href={hrefOf(`/conversations/${encodeURIComponent(id)}`)} dir="auto">
                        {question}
                      </a>
                      <a
                        class="quiet"
                        href={hrefOf('/knowledge/new', { question })}
                        aria-label={`Write an article that answers: ${question}`}
                      >
                        write an article
                      </a>
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
