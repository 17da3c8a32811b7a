import { expect, it } from 'vitest';
import { createMessagingMetrics } from './metrics.ts';

it('counts the rows that retention and erasure removed, by table', async () => {
  const metrics = createMessagingMetrics({ queuedRows: 0 });
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

it('measures turns in seconds', async () => {
  const metrics = createMessagingMetrics({ queuedRows: 0 });
  metrics.turns('answered', 1_500);
  const lines = (await metrics.page())
    .split('\n')
    .filter((line) => /^natter_turn\w*(_sum|_bucket.*le="(1|2.5)")/.test(line));
  expect(lines.map((line) => line.replace(/^\w+_(\w+){/, '$1 '))).toEqual([
    expect.stringMatching(/le="1".* 0$/),
    expect.stringMatching(/le="2.5".* 1$/),
    expect.stringMatching(/^sum .* 1\.5$/),
  ]);
});

it('counts events by kind', async () => {
  const metrics = createMessagingMetrics({ queuedRows: 1 });
  metrics.frames('accept');
  metrics.handshakesRefused('SESSION_NOT_FOUND');
  metrics.slowReaders();
  metrics.uploadsAborted();
  metrics.sessionsEnded('REASON_USER_END');
  metrics.failures('write to a session');
  const page = await metrics.page();
  const counted = page.split('\n').filter((line) => / 1$/.test(line) && line.includes('_total'));
  expect(counted.map((line) => line.replace(/^\w+_total({\w+=)?/, '').replace(/}? 1$/, ''))).toEqual([
    '"accept"',
    '"SESSION_NOT_FOUND"',
    '',
    '',
    '"REASON_USER_END"',
    '"write to a session"',
  ]);
  expect(new Set(counted.map((line) => line.split(/[{ ]/)[0])).size).toBe(6);
});

it("reads the gateway's sockets and sessions when the page is requested", async () => {
  const metrics = createMessagingMetrics({ queuedRows: 4 });
  let sockets = 0;
  metrics.watchGateway({ sockets: () => sockets, sessions: () => 2 });
  sockets = 3;
  const page = await metrics.page();
  expect(page.split('\n').filter((line) => /^natter_(sockets|sessions|log_queued_rows) /.test(line))).toEqual(
    ['natter_log_queued_rows 4', 'natter_sockets 3', 'natter_sessions 2'],
  );
});
