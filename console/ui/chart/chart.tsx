import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { Button } from '../button.tsx';
import { Table } from '../table.tsx';
import { isDark, isForced } from '../theme.ts';
import { findLonely } from './find-lonely.ts';
import { labelTimes } from './label-times.ts';
import './chart.css';

const HEIGHT_PX = 200;
// Between two times of the axis, with their longest texts.
const TIME_SPACE_PX = 68;
const HALF_DAY_S = 43_200;
// A table of thousands of rows is useless: only the newest rows are shown.
const MAX_TABLE_ROWS = 300;

/** Steps of an axis of counts, of which there are no halves. */
const WHOLE_STEPS: number[] = [1, 2, 5]
  .flatMap((digit) => Array.from({ length: 9 }, (_, power) => digit * 10 ** power))
  .sort((one, other) => one - other);

const DASHES: readonly (readonly number[])[] = [
  [6, 4],
  [2, 3],
  [10, 4, 2, 4],
  [1, 4],
];

/** A line of a chart: a value or null for each time. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** A chart over time with the same as a table. Dragging over it zooms in, a double click shows all again. */
export function Chart({
  title,
  times,
  series,
  unit,
  spanMs,
  fromMs,
  toMs,
  tools,
}: {
  title: string;
  /** Milliseconds since 1970, ascending. */
  times: readonly number[];
  series: readonly Series[];
  unit: string;
  /** How much time the chart shows, up to the last value; omitted: all of it. */
  spanMs?: number;
  /** First and last time of the axis, in milliseconds. Default: the times of the first and last value. */
  fromMs?: number;
  toMs?: number;
  /** Controls of the chart, beside the button for the table. */
  tools?: ComponentChildren;
}): VNode {
  const place = useRef<HTMLDivElement>(null);
  const [isTable, setTable] = useState(false);
  const colours = `${isDark.value} ${isForced.value}`;
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  const data = useMemo<uPlot.AlignedData>(
    () => [times.map((ms) => ms / 1_000), ...series.map(({ values }) => [...values])],
    [times, series],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: toOptions reads the colours from the page, and an empty chart is not in it
  useEffect(() => {
    const element = place.current;
    if (element === null || isTable) return;
    const plot = new uPlot(toOptions(element, { series, unit, spanMs, fromMs, toMs }), data, element);
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, isTable, isEmpty, colours, unit, spanMs, fromMs, toMs]);
  const from = Math.max(0, times.length - MAX_TABLE_ROWS);
  return (
    <section class="card" aria-label={title}>
      <header class="card-head">
        <h2 class="grow">
          {title} <small>{unit}</small>
        </h2>
        {tools}
        <Button aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
        </Button>
      </header>
      {isTable ? (
        <div class="chart-table">
          <Table
            caption={`${title}, ${unit}`}
            columns={[
              { header: 'Time', cell: (index) => new Date(times[index] ?? 0).toLocaleString() },
              ...series.map(({ name, values }) => ({
                header: name,
                isNumber: true,
                cell: (index: number) => values[index]?.toLocaleString() ?? '–',
              })),
            ]}
            rows={times.slice(from).map((_, index) => from + index)}
            keyOf={String}
          />
        </div>
      ) : isEmpty ? (
        <p class="chart-empty quiet">No data in this period</p>
      ) : (
        <div ref={place} class="chart" aria-hidden="true" />
      )}
    </section>
  );
}

/** How much time a chart shows. */
interface Span {
  readonly spanMs: number | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

function toOptions(
  element: HTMLElement,
  { series, unit, ...span }: { series: readonly Series[]; unit: string } & Span,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const strokes = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5'].map(colour);
  const axis: uPlot.Axis = {
    stroke: colour('--chart-text'),
    grid: { stroke: colour('--chart-line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const strokeAt = (index: number): string => strokes[index % strokes.length] ?? 'gray';
  const isWhole = series.every(({ values }) => values.every((value) => value === null || value % 1 === 0));
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    cursor: { drag: { x: true, y: false } },
    legend: {
      live: true,
      // A piece of each line, so that lines differ without colours here too.
      markers: { width: 0, fill: (_, index) => drawDashes(strokeAt(index - 1), dashAt(index - 1)) },
    },
    axes: [
      { ...axis, space: TIME_SPACE_PX, values: (_, splits, __, ___, stepS) => labelTimes(splits, stepS) },
      { ...axis, size: 54, ...(isWhole && { incrs: WHOLE_STEPS }) },
    ],
    scales: {
      // The library gives one time alone an axis of a thousand days.
      x: {
        range: ({ data: [times] }, min, max) => rangeOf(times, min, max, span),
      },
      y: { range: (_, __, max) => [0, TOPS[unit] ?? Math.max((max ?? 0) * 1.1, 1)] },
    },
    series: [
      { value: (_, at) => (at == null ? '' : new Date(at * 1_000).toLocaleString()) },
      ...series.map(({ name, values }, index) => ({
        label: name,
        value: (_: uPlot, value: number | null) => value?.toLocaleString() ?? '',
        stroke: strokeAt(index),
        width: 2,
        // Lines differ without colours too.
        dash: [...dashAt(index)],
        // A line needs two values beside each other.
        points: { show: true, filter: findLonely(values) },
      })),
    ],
  };
}

/** The highest value that there can be, by unit. */
const TOPS: Readonly<Record<string, number>> = { '%': 100, 'of 5': 5 };

/** The first line has none. */
const dashAt = (index: number): readonly number[] =>
  index > 0 ? (DASHES[(index - 1) % DASHES.length] ?? []) : [];

/** The background of a piece of a line with its dashes: strokes and gaps by turns, in pixels. */
function drawDashes(colour: string, dashes: readonly number[]): string {
  if (dashes.length === 0) return colour;
  let from = 0;
  const stops = dashes.map((length, index) => {
    const stop = `${index % 2 === 0 ? colour : 'transparent'} ${from}px ${from + length}px`;
    from += length;
    return stop;
  });
  return `repeating-linear-gradient(90deg, ${stops.join(', ')})`;
}

/** The range of the time axis: all values, the range that was zoomed into, or at least `spanMs`. */
function rangeOf(
  times: ArrayLike<number>,
  min: number,
  max: number,
  { spanMs, fromMs, toMs }: Span,
): [from: number, to: number] {
  const first = times[0] ?? min;
  const last = times[times.length - 1] ?? max;
  // For a single time the library chooses its own range.
  const isAll = times.length < 2 || (min === first && max === last);
  if (fromMs !== undefined && toMs !== undefined && isAll) return [fromMs / 1_000, toMs / 1_000];
  if (spanMs !== undefined && isAll) return [Math.min(first, last - spanMs / 1_000), last];
  return times.length > 1 ? [min, max] : [min - HALF_DAY_S, min + HALF_DAY_S];
}
