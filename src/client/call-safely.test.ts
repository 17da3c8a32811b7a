import { afterEach, expect, it, vi } from 'vitest';
import { callSafely } from './call-safely.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it("keeps a subscriber's exception away from the chat and reports it as uncaught", () => {
  const later: (() => void)[] = [];
  vi.stubGlobal('queueMicrotask', (task: () => void) => later.push(task));
  const fault = new Error('the page has a fault');
  expect(() =>
    callSafely(() => {
      throw fault;
    }, 1),
  ).not.toThrow();
  expect(later).toHaveLength(1);
  expect(later[0]).toThrow(fault);
});
