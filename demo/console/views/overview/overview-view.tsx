import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { VariantField } from '../../project-filters.tsx';
import { useQuery } from '../../query.ts';
import { Chart, type Series } from '../../ui/chart.tsx';
import { Button, EmptyState, Page, QueryView, SelectField } from '../../ui/index.ts';
import './overview.css';
import type { Concurrency, Overview } from './overview-types.ts';
import { Figures, nameOfLanguage, Shares, Topics } from './parts.tsx';

const NAMES = ['project', 'hours', 'variant_id', 'language', 'client_env'] as const;

/** What happened lately, by time, variant and language. */
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
    <Page
      title="Overview"
      summary="Figures about turns are of a sample: at most 10,000 turns, spread over the range."
    >
      <Filters languages={Object.keys(overview.data?.buckets.at(-1)?.languages ?? {})} />
      <QueryView query={overview}>
        {(data) =>
          data.buckets.length === 0 && data.turns.length === 0 ? (
            <EmptyState title="Nothing happened in this range.">Choose a longer one.</EmptyState>
          ) : (
            <Content data={data} search={key} />
          )
        }
      </QueryView>
    </Page>
  );
}

function Content({ data, search }: { data: Overview; search: string }): VNode {
  const { buckets, turns } = data;
  const volume = useMemo(
    () => ({
      times: buckets.map(({ bucket }) => bucket),
      series: [
        { name: 'Conversations', values: buckets.map(({ conversations }) => conversations) },
        { name: 'Hand-offs', values: buckets.map(({ handoffs }) => handoffs) },
      ],
    }),
    [buckets],
  );
  const latency = useMemo(
    () => ({
      times: turns.map(({ bucket }) => bucket ?? 0),
      series: [
        { name: 'Median', values: turns.map(({ p50 }) => p50) },
        { name: '95th percentile', values: turns.map(({ p95 }) => p95) },
      ],
    }),
    [turns],
  );
  return (
    <>
      <Figures data={data} />
      <div class="overview-charts">
        <Chart title="Volume" unit="conversations" {...volume} />
        <Chart title="Answer latency" unit="ms" {...latency} />
        <OpenAtOnce search={search} />
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

function OpenAtOnce({ search }: { search: string }): VNode {
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
        <ConcurrencyChart data={data}>
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

function ConcurrencyChart({ data, children }: { data: Concurrency; children: ComponentChildren }): VNode {
  const chart = useMemo(() => toSeries(data), [data]);
  return <Chart title="Open at once" unit="conversations" tools={children} {...chart} />;
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
