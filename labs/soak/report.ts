import type { InvariantName } from './invariants.ts';
import type { ScheduleResult } from './run-schedule.ts';
import { FAULT_KINDS } from './schedule.ts';

const LOSSES: ReadonlySet<InvariantName> = new Set(['lost', 'accounted']);
const REPEATS: ReadonlySet<InvariantName> = new Set(['repeated', 'failedIsNotDelivered']);
const DISORDERS: ReadonlySet<InvariantName> = new Set(['order', 'writingOrder']);

/** The value below which `share` of all values lie; null for none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null;
}

const seconds = (ms: number | null): string => (ms === null ? '-' : `${(ms / 1000).toFixed(1)} s`);
const sum = (results: readonly ScheduleResult[], read: (result: ScheduleResult) => number): number =>
  results.reduce((total, result) => total + read(result), 0);
const broken = (results: readonly ScheduleResult[], names: ReadonlySet<InvariantName>): number =>
  sum(results, ({ violations }) => violations.filter(({ invariant }) => names.has(invariant)).length);

const COLUMNS = [
  'fault',
  'schedules',
  'sent',
  'acknowledged',
  'delivered',
  'failed',
  'lost',
  'repeated',
  'out of order',
  'button',
  'open: median',
  'p99',
  'settled: median',
  'p99',
  'broken',
] as const;

function toRow(name: string, results: readonly ScheduleResult[]): readonly string[] {
  const reopened = results.map(({ reopenedMs }) => reopenedMs);
  const settled = results.map(({ settledMs }) => settledMs);
  return [
    name,
    String(results.length),
    String(sum(results, ({ sent }) => sent)),
    String(sum(results, ({ acknowledged }) => acknowledged)),
    String(sum(results, ({ delivered }) => delivered)),
    String(sum(results, ({ failed }) => failed)),
    String(broken(results, LOSSES)),
    String(broken(results, REPEATS)),
    String(broken(results, DISORDERS)),
    String(sum(results, ({ buttons }) => buttons)),
    seconds(quantile(reopened, 0.5)),
    seconds(quantile(reopened, 0.99)),
    seconds(quantile(settled, 0.5)),
    seconds(quantile(settled, 0.99)),
    String(results.filter(({ violations }) => violations.length > 0).length),
  ];
}

/** The table of a run: one row per kind of fault, and one for all. Times are the client's, from the end of the faults. */
export function formatReport(results: readonly ScheduleResult[]): string {
  const rows = [
    COLUMNS,
    ...FAULT_KINDS.map((kind) => ({ kind, found: results.filter((result) => result.kind === kind) }))
      .filter(({ found }) => found.length > 0)
      .map(({ kind, found }) => toRow(kind, found)),
    toRow('all', results),
  ];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
