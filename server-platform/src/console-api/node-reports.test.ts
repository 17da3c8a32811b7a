import { afterEach, describe, expect, it } from 'vitest';
import { createSkippingClock } from '../../test/realtime/skipping-clock.ts';
import type { Sql } from '../db/index.ts';
import { Scheduler } from '../jobs/index.ts';
import { NO_PEERS, type Peers } from '../realtime/bus/index.ts';
import { FigureRecorder } from '../realtime/index.ts';
import { NodeReports } from './node-reports.ts';

type Handler = (body: unknown) => Promise<unknown>;

describe('the reports of nodes', () => {
  const started: NodeReports[] = [];
  afterEach(async () => {
    for (const reports of started.splice(0)) await reports.close();
  });

  /** Nodes that reach each other; calls go through JSON as on the bus. */
  const handlers = new Map<string, Handler>();
  const peersOf = (node: string): Peers => ({
    ...NO_PEERS,
    isShared: true,
    canReach: (other) => handlers.has(other),
    answer: (_, handler) => handlers.set(node, handler),
    call: async (other, _, body) => JSON.parse(JSON.stringify(await handlers.get(other)?.(body))),
  });
  const start = (node: string, sockets: number): { reports: NodeReports; figures: FigureRecorder } => {
    const clock = createSkippingClock();
    const figures = new FigureRecorder({ queuedRows: 3 });
    figures.watch({ sockets: () => sockets, sessions: () => 0 });
    const scheduler = new Scheduler({ clock, random: () => 0, onFailure: () => {} });
    const reports = new NodeReports({ node, clock, peers: peersOf(node), scheduler, figures });
    started.push(reports);
    figures.sample(clock.now());
    return { reports, figures };
  };
  const leases = (...nodes: readonly string[]): Sql => ({
    query: async () => nodes.map((node) => ({ node, left_ms: 9_000 })) as never,
    tx: () => Promise.reject(new Error('not asked for')),
  });

  it('have the figures of every node that answers, and the lease of one that does not', async () => {
    const { reports } = start('a', 1);
    start('b', 2);
    handlers.set('broken', async () => ({ version: 7 }));
    const all = await reports.readAll(leases('a', 'b', 'broken', 'silent'));
    expect(all.map(({ node, isSelf, figures }) => [node, isSelf, figures?.samples.at(-1)?.sockets])).toEqual([
      ['a', true, 1],
      ['b', false, 2],
      ['broken', false, undefined],
      ['silent', false, undefined],
    ]);
    expect(all.every(({ leaseLeftMs }) => leaseLeftMs === 9_000)).toBe(true);
  });

  it('count what happened between two samples, and keep a quarter of an hour of them', () => {
    const { figures } = start('a', 1);
    for (const durationMs of [1, 2, 3, 40]) figures.noteCommit(durationMs);
    figures.noteFailure('send', 1);
    figures.sample(10_000);
    figures.sample(20_000);
    const [before, last] = figures.read('1', 20_000).samples.slice(-2);
    expect(before).toMatchObject({ commits: 4, failures: 1, queued_rows: 3 });
    expect(before?.commit_p95_ms).toBeCloseTo(40, 0);
    expect(last).toMatchObject({ commits: 0, failures: 0, commit_p95_ms: null });
    for (let index = 0; index < 200; index += 1) figures.sample(index);
    expect(figures.read('1', 0).samples).toHaveLength(90);
  });
});
