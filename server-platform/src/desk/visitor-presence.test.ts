import { expect, it } from 'vitest';
import { IDLE_MS, presenceOf } from './visitor-presence.ts';

const NOW = 1_000_000;
const look = (leftAtMs: number | null, lastFrameMs: number | undefined, endedAtMs: number | null = null) =>
  presenceOf({ leftAtMs, endedAtMs }, lastFrameMs, NOW);

it('takes a visitor for gone after ten seconds without a socket, which no reload needs, and says since when', () => {
  expect(look(NOW - 9_999, NOW)).toEqual({ status: 'here', sinceMs: null });
  expect(look(NOW - 10_000, NOW)).toEqual({ status: 'gone', sinceMs: NOW - 10_000 });
});

it('takes a visitor for idle whose open page sends no heartbeats any more', () => {
  expect(look(null, NOW - IDLE_MS + 1)).toEqual({ status: 'here', sinceMs: null });
  expect(look(null, NOW - IDLE_MS)).toEqual({ status: 'idle', sinceMs: NOW - IDLE_MS });
});

it('says nothing of the visitor of a request that is over', () => {
  expect(look(NOW - 60_000, NOW, NOW)).toBeNull();
});
