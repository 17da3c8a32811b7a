import type { VNode } from 'preact';
import { formatSeconds } from '../../ui/index.ts';
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
