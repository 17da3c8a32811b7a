import { expect, it } from 'vitest';
import { selectEndWindow, WINDOW_STEP } from './select-window.ts';

it('shows the end of a conversation of any length, in whole steps, with a bounded number of messages', () => {
  for (const count of [0, 1, 74, 75, 76, 100, 101, 5_000, 20_001]) {
    const [from, to] = selectEndWindow(count);
    expect(from % WINDOW_STEP).toBe(0);
    expect(to).toBeGreaterThanOrEqual(count);
    expect(count - from).toBeLessThanOrEqual(75);
    expect(from === 0 || count - from > 50).toBe(true);
  }
});
