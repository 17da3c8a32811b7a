import type { Series } from '../../ui/chart/chart.tsx';
import type { FigureSample, PlatformNode } from './operations-types.ts';

/** A figure that is drawn: a line for each node. */
export interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly read: (sample: FigureSample) => number | null;
  /** More lines of one node alone: with several nodes they would be too many to distinguish. */
  readonly also?: { readonly name: string; readonly read: (sample: FigureSample) => number | null };
  /** Title and unit where several nodes have one line each. */
  readonly titleOfEach?: string;
  readonly unitOfEach?: string;
  /** Label of the line for a single node. */
  readonly name: string;
}

export const FIGURES: readonly Figure[] = [
  {
    ...{ title: 'Sockets and sessions', unit: 'now', name: 'Sockets' },
    read: ({ sockets }) => sockets,
    also: { name: 'Sessions', read: ({ sessions }) => sessions },
    titleOfEach: 'Sockets',
  },
  {
    ...{ title: 'Commit latency', unit: 'ms', name: '95th percentile' },
    read: ({ commit_p95_ms: ms }) => ms,
    also: { name: 'Median', read: ({ commit_p50_ms: ms }) => ms },
    unitOfEach: 'ms, 95th percentile',
  },
  {
    title: 'Event-loop delay',
    unit: 'ms, 99th percentile',
    name: 'Delay',
    read: ({ loop_delay_ms: ms }) => ms,
  },
  {
    title: 'Events waiting for their commit',
    unit: 'rows',
    name: 'Waiting',
    read: ({ queued_rows: rows }) => rows,
  },
  { title: 'Group commits', unit: 'in ten seconds', name: 'Commits', read: ({ commits }) => commits },
  { title: 'Failures', unit: 'in ten seconds', name: 'Failures', read: ({ failures }) => failures },
];

// Nodes take samples at different times; the samples of one interval share one place.
const INTERVAL_MS = 10_000;

/** Title, times and lines of a figure. Several nodes have a line each; one alone may have two. */
export function toChart(
  nodes: readonly PlatformNode[],
  { name, read, also, title, unit, titleOfEach, unitOfEach }: Figure,
): {
  readonly title: string;
  readonly unit: string;
  readonly times: readonly number[];
  readonly series: readonly Series[];
} {
  const answered = nodes.flatMap(({ node, figures }) =>
    figures === null ? [] : [{ node, samples: figures.samples }],
  );
  const at = ({ at_ms: ms }: FigureSample): number => Math.round(ms / INTERVAL_MS) * INTERVAL_MS;
  const times = [...new Set(answered.flatMap(({ samples }) => samples.map(at)))].sort((a, b) => a - b);
  const valuesOf = (samples: readonly FigureSample[], value: Figure['read']): readonly (number | null)[] => {
    const byTime = new Map(samples.map((sample) => [at(sample), value(sample)]));
    return times.map((time) => byTime.get(time) ?? null);
  };
  const [only] = answered;
  if (answered.length === 1 && only !== undefined) {
    const lines = [{ name, read }, ...(also === undefined ? [] : [also])];
    return {
      ...{ title, unit, times },
      series: lines.map((line) => ({ name: line.name, values: valuesOf(only.samples, line.read) })),
    };
  }
  return {
    title: titleOfEach ?? title,
    unit: unitOfEach ?? unit,
    times,
    series: answered.map(({ node, samples }) => ({ name: node, values: valuesOf(samples, read) })),
  };
}
