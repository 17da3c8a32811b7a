import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { callDesk } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { useQuery } from '../../query.ts';
import { Chart } from '../../ui/chart.tsx';
import {
  Card,
  EmptyState,
  Facts,
  formatSeconds,
  Page,
  QueryView,
  SelectField,
  Table,
} from '../../ui/index.ts';
import './service-levels.css';

interface Level {
  readonly requests: number;
  readonly answered: number;
  readonly answered_in_time: number;
  readonly abandoned: number;
  readonly waiting_seconds: number | null;
  readonly waiting_p90_seconds: number | null;
  readonly handling_seconds: number | null;
}

interface ServiceLevels {
  readonly step: 'hour' | 'day';
  readonly within_seconds: number;
  readonly total: Level;
  readonly queues: readonly (Level & { readonly id: string; readonly name: string })[];
  readonly spans: readonly (Level & { readonly start: string })[];
}

const DAYS = [
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
] as const;
const WITHIN = [
  ['20', '20 seconds'],
  ['60', '1 minute'],
  ['120', '2 minutes'],
  ['300', '5 minutes'],
] as const;
const DAY_MS = 86_400_000;

/** How soon people answer, and how long they take. */
export function ServiceLevelsView(): VNode {
  const [search, change] = useSearch();
  const days = search.get('days') ?? '7';
  const within = search.get('within') ?? '60';
  const queue = search.get('queue') ?? '';
  const query = useQuery({
    queryKey: ['service-levels', days, within, queue],
    queryFn: () => {
      const asked = new URLSearchParams({
        from: new Date(Date.now() - Number(days) * DAY_MS).toISOString(),
        within_seconds: within,
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(queue !== '' && { queue_id: queue }),
      });
      return callDesk<ServiceLevels>('GET', `/service-levels?${asked}`);
    },
  });
  const queues = query.data?.queues ?? [];
  return (
    <Page title="Service levels" summary="How soon people answer what the automated agent hands over.">
      <div class="toolbar">
        <SelectField
          label="Time"
          options={DAYS}
          value={days}
          onChange={({ currentTarget }) => change({ days: currentTarget.value })}
        />
        <SelectField
          label="Queue"
          options={[['', 'All queues'], ...queues.map(({ id, name }) => [id, name] as const)]}
          value={queue}
          onChange={({ currentTarget }) => change({ queue: currentTarget.value })}
        />
        <SelectField
          label="In time is within"
          options={WITHIN}
          value={within}
          onChange={({ currentTarget }) => change({ within: currentTarget.value })}
        />
      </div>
      <QueryView query={query}>
        {(levels) => <Levels levels={levels} spanMs={Number(days) * DAY_MS} />}
      </QueryView>
    </Page>
  );
}

function Levels({ levels, spanMs }: { levels: ServiceLevels; spanMs: number }): VNode {
  const { total, spans, queues, step, within_seconds: within } = levels;
  const times = useMemo(() => spans.map(({ start }) => Date.parse(start)), [spans]);
  const durations = useMemo(
    () => [
      { name: 'Waiting', values: spans.map(({ waiting_seconds: value }) => value) },
      { name: 'Handling', values: spans.map(({ handling_seconds: value }) => value) },
    ],
    [spans],
  );
  const shares = useMemo(
    () => [
      { name: 'Answered in time', values: spans.map((level) => share(level.answered_in_time, level)) },
      { name: 'Abandoned', values: spans.map((level) => share(level.abandoned, level)) },
    ],
    [spans],
  );
  if (total.requests === 0)
    return <EmptyState title="Nobody asked for a person in this time.">Choose a longer one.</EmptyState>;
  return (
    <>
      <div class="levels-total">
        <Card title="In total">
          <Facts
            facts={[
              ['Asked for', total.requests],
              ['Answered', `${total.answered} (${percent(total.answered, total)})`],
              [
                `Within ${formatSeconds(within)}`,
                `${total.answered_in_time} (${percent(total.answered_in_time, total)})`,
              ],
              ['Abandoned', `${total.abandoned} (${percent(total.abandoned, total)})`],
              ['Waiting', duration(total.waiting_seconds)],
              ['9 of 10 within', duration(total.waiting_p90_seconds)],
              ['Handling', duration(total.handling_seconds)],
            ]}
          />
        </Card>
      </div>
      <div class="levels">
        <Chart
          title="Waiting and handling"
          unit="seconds, medians"
          times={times}
          series={durations}
          spanMs={spanMs}
        />
        <Chart
          title="Answered in time and abandoned"
          unit="%"
          times={times}
          series={shares}
          spanMs={spanMs}
        />
      </div>
      <Card title="By queue">
        <Table
          caption="Numbers by queue"
          isCaptionHidden
          isStacked
          columns={[{ header: 'Queue', cell: ({ name }) => name }, ...COLUMNS]}
          rows={queues}
          keyOf={({ id }) => id}
        />
      </Card>
      <Card title={step === 'hour' ? 'By hour' : 'By day'}>
        <Table
          caption={step === 'hour' ? 'Numbers by hour' : 'Numbers by day'}
          isCaptionHidden
          isStacked
          columns={[
            { header: step === 'hour' ? 'Hour' : 'Day', cell: ({ start }) => whenOf(start, step) },
            ...COLUMNS,
          ]}
          rows={spans}
          keyOf={({ start }) => start}
        />
      </Card>
    </>
  );
}

const COLUMNS = [
  { header: 'Asked for', isNumber: true, cell: ({ requests }: Level) => requests },
  { header: 'Answered', isNumber: true, cell: ({ answered }: Level) => answered },
  { header: 'In time', isNumber: true, cell: (level: Level) => percent(level.answered_in_time, level) },
  { header: 'Abandoned', isNumber: true, cell: (level: Level) => percent(level.abandoned, level) },
  { header: 'Waiting', isNumber: true, cell: ({ waiting_seconds: value }: Level) => duration(value) },
  { header: '9 of 10', isNumber: true, cell: ({ waiting_p90_seconds: value }: Level) => duration(value) },
  { header: 'Handling', isNumber: true, cell: ({ handling_seconds: value }: Level) => duration(value) },
] as const;

const share = (count: number, { requests }: Level): number | null =>
  requests === 0 ? null : Math.round((count / requests) * 100);
const percent = (count: number, level: Level): string => {
  const value = share(count, level);
  return value === null ? '–' : `${value} %`;
};
const duration = (seconds: number | null): string => (seconds === null ? '–' : formatSeconds(seconds));

function whenOf(start: string, step: ServiceLevels['step']): string {
  const format: Intl.DateTimeFormatOptions =
    step === 'hour' ? { weekday: 'short', hour: '2-digit', minute: '2-digit' } : { dateStyle: 'medium' };
  return new Date(start).toLocaleString([], format);
}
