import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { VariantField } from '../../project-filters.tsx';
import { useQuery } from '../../query.ts';
import { Chart, type Series } from '../../ui/chart/chart.tsx';
import { Button, EmptyState, nameOfLanguage, Page, QueryView, SelectField } from '../../ui/index.ts';
import './overview.css';
import { Figures } from './figures.tsx';
import { fillBuckets } from './fill-buckets.ts';
import type { Concurrency, Overview } from './overview-types.ts';
import { Shares } from './shares.tsx';
import { Topics } from './topics.tsx';

const NAMES = ['project', 'hours', 'variant_id', 'language', 'client_env'] as const;

/** Recent activity by time, variant and language. */
export function OverviewView(): VNode {
  const [search] = useSearch();
  const query = new URLSearchParams();
  for (const name of NAMES) {
    const value = search.get(name);
    if (value !== null) query.set(name, value);
  }
  const key = query.toString();
  const overview = useQuery<Overview>({
    queryKey: ['overview', key],
    queryFn: ({ signal }) => callConsole<Overview>('GET', `/overview?${key}`, { signal }),
  });
  return (
    <Page title="Overview" summary="Turn figures are based on a sample of up to 10,000 turns.">
      <Filters languages={Object.keys(overview.data?.buckets.at(-1)?.languages ?? {})} />
      <QueryView query={overview}>
        {(data) =>
          data.buckets.length === 0 && data.turns.length === 0 ? (
            <EmptyState title="No activity in this period">Choose a longer period.</EmptyState>
          ) : (
            <Content data={data} search={key} />
          )
        }
      </QueryView>
    </Page>
  );
}

function Content({ data, search }: { data: Overview; search: string }): VNode {
  const { buckets } = data;
  const volume = useMemo(() => {
    const filled = fillBuckets(data.buckets, data);
    return {
      times: filled.map(({ atMs }) => atMs),
      series: [
        { name: 'Conversations', values: filled.map(({ entry }) => entry?.conversations ?? 0) },
        { name: 'Hand-offs', values: filled.map(({ entry }) => entry?.handoffs ?? 0) },
      ],
    };
  }, [data]);
  const answers = useMemo(() => fillBuckets(data.turns, data), [data]);
  const times = useMemo(() => answers.map(({ atMs }) => atMs), [answers]);
  const latency = useMemo(
    () => [
      { name: 'Median', values: answers.map(({ entry }) => entry?.p50 ?? null) },
      { name: '95th percentile', values: answers.map(({ entry }) => entry?.p95 ?? null) },
    ],
    [answers],
  );
  const scores = useMemo(
    () => [{ name: 'Mean score', values: answers.map(({ entry }) => entry?.score ?? null) }],
    [answers],
  );
  const axis = { fromMs: data.from_ms, toMs: data.to_ms };
  return (
    <>
      <Figures data={data} />
      <div class="overview-charts">
        <Chart title="Volume" unit="conversations" {...volume} {...axis} />
        <Chart title="Answer latency" unit="ms" times={times} series={latency} {...axis} />
        <OpenAtOnce search={search} axis={axis} />
        <Chart title="Satisfaction" unit="of 5" times={times} series={scores} {...axis} />
        <Topics topics={data.topics} />
        <Shares title="Variants" buckets={buckets.map(({ variants }) => variants)} />
        <Shares
          title="Languages"
          buckets={buckets.map(({ languages }) => languages)}
          nameOf={nameOfLanguage}
        />
      </div>
    </>
  );
}

/** The span that all charts show. */
interface Axis {
  readonly fromMs: number;
  readonly toMs: number;
}

function OpenAtOnce({ search, axis }: { search: string; axis: Axis }): VNode {
  const [parameters, change] = useSearch();
  const slice = parameters.get('slice_by') ?? '';
  const query = new URLSearchParams(search);
  query.delete('language');
  if (slice !== '') query.set('slice_by', slice);
  const key = query.toString();
  const answer = useQuery<Concurrency>({
    queryKey: ['concurrency', key],
    queryFn: ({ signal }) => callConsole<Concurrency>('GET', `/concurrency?${key}`, { signal }),
  });
  return (
    <QueryView query={answer}>
      {(data) => (
        <ConcurrencyChart data={data} axis={axis}>
          <Button
            aria-pressed={slice !== ''}
            onClick={() => change({ slice_by: slice === '' ? 'variant' : '' })}
          >
            By variant
          </Button>
        </ConcurrencyChart>
      )}
    </QueryView>
  );
}

function ConcurrencyChart({
  data,
  axis,
  children,
}: {
  data: Concurrency;
  axis: Axis;
  children: ComponentChildren;
}): VNode {
  const chart = useMemo(() => toSeries(data), [data]);
  return (
    <Chart title="Concurrent conversations" unit="conversations" tools={children} {...chart} {...axis} />
  );
}

/** One line for each variant, or one for all. */
function toSeries({ intervals }: Concurrency): { times: readonly number[]; series: readonly Series[] } {
  const times = [...new Set(intervals.map(({ time }) => Date.parse(time)))];
  const places = new Map(times.map((time, index) => [time, index]));
  const lines = new Map<string, (number | null)[]>();
  for (const { time, variant_name: name = 'All', max_concurrent_conversations: peak } of intervals) {
    const line = lines.get(name) ?? times.map(() => null);
    line[places.get(Date.parse(time)) ?? 0] = peak;
    lines.set(name, line);
  }
  return { times, series: [...lines].map(([name, values]) => ({ name: name || 'None', values })) };
}

function Filters({ languages }: { languages: readonly string[] }): VNode {
  const [search, change] = useSearch();
  const get = (name: string): string => search.get(name) ?? '';
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    change({ [name]: event.currentTarget.value });
  const known = [...new Set([...languages, get('language')])].filter((tag) => tag !== '' && tag !== 'none');
  return (
    <div class="toolbar">
      <SelectField
        label="Range"
        value={get('hours') || '24'}
        options={[
          ['1', 'Last hour'],
          ['24', 'Last 24 hours'],
          ['168', 'Last 7 days'],
          ['720', 'Last 30 days'],
        ]}
        onChange={set('hours')}
      />
      <VariantField value={get('variant_id')} onChange={set('variant_id')} />
      <SelectField
        label="Language"
        value={get('language')}
        options={[['', 'All'], ...known.map((tag) => [tag, nameOfLanguage(tag)] as const)]}
        onChange={set('language')}
      />
    </div>
  );
}
