import { expect, it } from 'vitest';
import { createMessagingMetrics } from './metrics.ts';

it('count the rows that retention and erasure have removed, by table', async () => {
  const none = (): number => 0;
  const metrics = createMessagingMetrics({ sockets: none, sessions: none, queuedRows: none });
  metrics.rowsRemoved('retention', { events: 12, turns: 0 });
  metrics.rowsRemoved('retention', { events: 3 });
  metrics.rowsRemoved('erasure', { events: 1 });
  const lines = (await metrics.page())
    .split('\n')
    .filter((line) => line.startsWith('natter_rows_removed_total'));
  expect(lines).toEqual([
    'natter_rows_removed_total{why="retention",table="events"} 15',
    'natter_rows_removed_total{why="retention",table="turns"} 0',
    'natter_rows_removed_total{why="erasure",table="events"} 1',
  ]);
});
