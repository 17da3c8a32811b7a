import { latenciesOf } from './judge.ts';
import type { AttackResult } from './run-attacks.ts';

const COLUMNS = [
  'attack',
  'calm p99',
  'under attack',
  'ratio',
  'heap before',
  'after',
  'resident before',
  'after',
  'sockets',
  'verdict',
  'what the attackers got',
] as const;
const MEBIBYTE = 1_048_576;
const NO_VALUE = '-';

const milliseconds = (ms: number | null): string => (ms === null ? NO_VALUE : `${ms.toFixed(1)} ms`);
const mebibytes = (bytes: number | undefined): string =>
  bytes === undefined ? NO_VALUE : `${Math.round(bytes / MEBIBYTE)} MiB`;

function toRow({ attack, observation, faults }: AttackResult): readonly string[] {
  const verdict = faults.length === 0 ? 'withstood' : 'FAILED';
  if (observation === null) {
    return [attack.name, ...Array.from({ length: COLUMNS.length - 3 }, () => NO_VALUE), verdict, ''];
  }
  const { before, after, outcomes } = observation;
  const { calmMs, attackedMs, ratio } = latenciesOf(observation);
  const got = Object.entries(outcomes)
    .sort(([, a], [, b]) => b - a)
    .map(([outcome, times]) => `${outcome} × ${times}`);
  return [
    attack.name,
    milliseconds(calmMs),
    milliseconds(attackedMs),
    ratio === null ? NO_VALUE : ratio.toFixed(1),
    mebibytes(before.heapBytes),
    mebibytes(after?.heapBytes),
    mebibytes(before.rssBytes),
    mebibytes(after?.rssBytes),
    `${before.sockets} → ${after?.sockets ?? NO_VALUE}`,
    verdict,
    got.join(', '),
  ];
}

/** The table of a run, with the reasons of what failed below it. */
export function formatResults(results: readonly AttackResult[]): string {
  const rows = [COLUMNS, ...results.map(toRow)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const reasons = results.flatMap(({ attack, faults }) => faults.map((fault) => `${attack.name}: ${fault}`));
  return [...table, ...(reasons.length > 0 ? ['', ...reasons] : [])].join('\n');
}
