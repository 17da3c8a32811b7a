import { describe, expect, it } from 'vitest';
import type { FigureSample, PlatformNode } from './operations-types.ts';
import { FIGURES, toChart } from './to-chart.ts';

const sample = (at_ms: number, sockets: number): FigureSample => ({
  ...{ at_ms, sockets, sessions: sockets * 2, queued_rows: 0, commits: 0, failures: 0 },
  ...{ commit_p50_ms: null, commit_p95_ms: null, loop_delay_ms: 0, resident_bytes: 0 },
});
const node = (name: string, samples: readonly FigureSample[] | null): PlatformNode => ({
  ...{ node: name, is_self: false, lease_left_ms: 1 },
  figures: samples && { version: '1', started_at_ms: 0, samples, failures: [] },
});
const [sockets] = FIGURES;

describe('the charts of nodes', () => {
  it('the charts have a line for each node, at common times although nodes sample at different moments', () => {
    if (sockets === undefined) throw new TypeError('there is a chart');
    const nodes = [
      node('a', [sample(9_800, 1), sample(20_100, 2)]),
      node('b', [sample(11_000, 5)]),
      node('silent', null),
    ];
    expect(toChart(nodes, sockets)).toEqual({
      title: 'Sockets',
      unit: 'now',
      times: [10_000, 20_000],
      series: [
        { name: 'a', values: [1, 2] },
        { name: 'b', values: [5, null] },
      ],
    });
  });

  it('the charts have more lines for one node alone', () => {
    if (sockets === undefined) throw new TypeError('there is a chart');
    expect(toChart([node('a', [sample(10_000, 3)])], sockets).series).toEqual([
      { name: 'Sockets', values: [3] },
      { name: 'Sessions', values: [6] },
    ]);
  });
});
