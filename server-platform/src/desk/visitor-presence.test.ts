import { expect, it } from 'vitest';
import { IDLE_MS, presenceOf } from './visitor-presence.ts';

const NOW = 1_000_000;
const look = (leftAtMs: number | null, lastFrameMs: number | undefined, endedAtMs: number | null = null) =>
  presenceOf({ leftAtMs, endedAtMs }, lastFrameMs, NOW);

it('treats a visitor as gone ten seconds after the socket closed, and reports since when', () => {
  expect(look(NOW - 9_999, NOW)).toEqual({ status: 'here', sinceMs: null });
  expect(look(NOW - 10_000, NOW)).toEqual({ status: 'gone', sinceMs: NOW - 10_000 });
});

it('treats a visitor as idle whose open page stops sending heartbeats', () => {
  expect(look(null, NOW - IDLE_MS + 1)).toEqual({ status: 'here', sinceMs: null });
  expect(look(null, NOW - IDLE_MS)).toEqual({ status: 'idle', sinceMs: NOW - IDLE_MS });
});

it('reports no presence for an ended request', () => {
  expect(look(NOW - 60_000, NOW, NOW)).toBeNull();
});
