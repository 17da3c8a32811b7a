import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ServiceLevels } from '../../../server-platform/src/console-api/index.ts';
import { callDesk } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { useQuery } from '../../query.ts';
import { Chart } from '../../ui/chart/chart.tsx';
import {
  Card,
  DescriptionList,
  EmptyState,
  formatSeconds,
  Page,
  QueryView,
  SelectField,
  Table,
} from '../../ui/index.ts';
import { Comments } from './comments.tsx';
import './service-levels.css';

type Level = ServiceLevels['total'];

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

/** How soon people answer, how long they take, and what visitors think of it. */
export function ServiceLevelsView(): VNode {
  const [search, change] = useSearch();
  const days = search.get('days') ?? '7';
  const within = search.get('within') ?? '60';
  const queue = search.get('queue') ?? '';
  const query = useQuery({
    queryKey: ['service-levels', days, within, queue],
    queryFn: () => {
      const toMs = Date.now();
      const asked = new URLSearchParams({
        from: new Date(toMs - Number(days) * DAY_MS).toISOString(),
        to: new Date(toMs).toISOString(),
        within_seconds: within,
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(queue !== '' && { queue_id: queue }),
      });
      return callDesk<ServiceLevels>('GET', `/service-levels?${asked}`);
    },
  });
  const queues = query.data?.queues ?? [];
  return (
    <Page
      title="Service levels"
      summary="How conversations end, how quickly your team answers those the agent hands off, and how visitors rate them."
    >
      <div class="toolbar">
        <SelectField
          label="Period"
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
          label="Target"
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
  const { total, spans, queues, outcomes, step, within_seconds: within } = levels;
  const times = useMemo(() => spans.map(({ start }) => Date.parse(start)), [spans]);
  const durations = useMemo(
    () => [
      { name: 'Waiting time', values: spans.map(({ waiting_seconds: value }) => value) },
      { name: 'Handling time', values: spans.map(({ handling_seconds: value }) => value) },
    ],
    [spans],
  );
  const shares = useMemo(
    () => [
      {
        name: 'Answered in time',
        values: spans.map((level) => share(level.answered_in_time, level.requests)),
      },
      { name: 'Abandoned', values: spans.map((level) => share(level.abandoned, level.requests)) },
    ],
    [spans],
  );
  const scores = useMemo(() => [{ name: 'Mean score', values: spans.map(({ score }) => score) }], [spans]);
  if (total.requests === 0 && total.scored === 0 && !outcomes?.ended)
    return <EmptyState title="No conversations in this period">Choose a longer period.</EmptyState>;
  return (
    <>
      {outcomes !== null && (
        <div class="levels-total">
          <Card title="Conversations that ended">
            <DescriptionList
              items={[
                ['All', outcomes.ended.toLocaleString()],
                ['Agent alone', counted(outcomes.agent_alone, outcomes.ended)],
                ['With a person', counted(outcomes.with_person, outcomes.ended)],
                ['No agent joined', counted(outcomes.without_person, outcomes.ended)],
                [
                  'Transferred',
                  outcomes.transferred === 0 ? null : counted(outcomes.transferred, outcomes.ended),
                ],
              ]}
            />
          </Card>
        </div>
      )}
      <div class="levels-total">
        <Card title="Total">
          <DescriptionList
            items={[
              ['Requests', total.requests.toLocaleString()],
              ['Answered', counted(total.answered, total.requests)],
              [`Within ${formatSeconds(within)}`, counted(total.answered_in_time, total.requests)],
              ['Abandoned', counted(total.abandoned, total.requests)],
              ['Waiting time', waitingTime(total)],
              ['First answer', firstAnswer(total)],
              ['Handling time', duration(total.handling_seconds)],
              ['Satisfaction', satisfaction(total)],
            ]}
          />
        </Card>
      </div>
      <div class="levels">
        <Chart
          title="Waiting and handling time"
          unit="seconds, medians"
          times={times}
          series={durations}
          spanMs={spanMs}
        />
        <Chart title="Answered in time, abandoned" unit="%" times={times} series={shares} spanMs={spanMs} />
        {total.scored > 0 && (
          <Chart title="Satisfaction" unit="of 5" times={times} series={scores} spanMs={spanMs} />
        )}
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
      <Comments comments={levels.comments} />
      <Card title={step === 'hour' ? 'By hour' : 'By day'}>
        <Table
          caption={step === 'hour' ? 'Numbers by hour' : 'Numbers by day'}
          isCaptionHidden
          isStacked
          columns={[
            {
              header: step === 'hour' ? 'Hour' : 'Day',
              cell: ({ start }) => <span class="levels-when">{whenOf(start, step)}</span>,
            },
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
  { header: 'Requests', isNumber: true, cell: ({ requests }: Level) => requests.toLocaleString() },
  { header: 'Answered', isNumber: true, cell: ({ answered }: Level) => answered.toLocaleString() },
  {
    header: 'In time',
    isNumber: true,
    cell: (level: Level) => percent(level.answered_in_time, level.requests),
  },
  { header: 'Abandoned', isNumber: true, cell: (level: Level) => percent(level.abandoned, level.requests) },
  { header: 'Waiting time', isNumber: true, cell: waitingTime },
  { header: 'First answer', isNumber: true, cell: firstAnswer },
  { header: 'Handling time', isNumber: true, cell: ({ handling_seconds: value }: Level) => duration(value) },
  { header: 'Satisfaction', isNumber: true, cell: satisfaction },
] as const;

function waitingTime({ waiting_seconds: median, waiting_p90_seconds: most }: Level): ComponentChildren {
  return spread(median, '90%', most);
}

function firstAnswer({
  first_answer_seconds: median,
  first_answer_p95_seconds: most,
}: Level): ComponentChildren {
  return spread(median, '95%', most);
}

/** A median, and the time in which most were done. */
function spread(median: number | null, portion: string, most: number | null): ComponentChildren {
  if (median === null) return '–';
  return (
    <span class="levels-figure">
      {duration(median)}{' '}
      <small>
        {portion} in {duration(most)}
      </small>
    </span>
  );
}

function satisfaction({ score, scored }: Level): ComponentChildren {
  if (score === null) return '–';
  const answers = scored === 1 ? '1 answer' : `${scored.toLocaleString()} answers`;
  return (
    <span class="levels-figure">
      {score.toFixed(1)} of 5 <small>{answers}</small>
    </span>
  );
}

const share = (count: number, all: number): number | null =>
  all === 0 ? null : Math.round((count / all) * 100);
const percent = (count: number, all: number): string => {
  const value = share(count, all);
  return value === null ? '–' : `${value}%`;
};
const counted = (count: number, all: number): string => `${count.toLocaleString()} (${percent(count, all)})`;
const duration = (seconds: number | null): string => (seconds === null ? '–' : formatSeconds(seconds));

function whenOf(start: string, step: ServiceLevels['step']): string {
  const format: Intl.DateTimeFormatOptions =
    step === 'hour'
      ? { weekday: 'short', hour: '2-digit', minute: '2-digit' }
      : { weekday: 'short', day: 'numeric', month: 'short' };
  return new Date(start).toLocaleString([], format);
}
