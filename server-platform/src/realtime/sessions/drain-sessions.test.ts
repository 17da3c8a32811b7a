import { describe, expect, it } from 'vitest';
import { spreadOf } from './drain-sessions.ts';

describe('the hand-over of all sessions', () => {
  const limits = { windowMs: 2_000, graceMs: 20_000 };

  it('spreads the release of a few sessions over the window', () => {
    expect(spreadOf(0, limits)).toBe(2_000);
    expect(spreadOf(299, limits)).toBe(2_000);
  });

  it('takes a second per hundred sessions when there are more', () => {
    expect(spreadOf(300, limits)).toBe(3_000);
    expect(spreadOf(1_000, limits)).toBe(10_000);
  });

  it('leaves half of the total time to running turns, for any number of sessions', () => {
    expect(spreadOf(100_000, limits)).toBe(11_000);
  });

  it('keeps a longer window that an operator has configured', () => {
    expect(spreadOf(1_000, { windowMs: 60_000, graceMs: 20_000 })).toBe(60_000);
  });
});
