import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mountPanel } from '../../../test/widget/mount-panel.ts';
import { hashUserId } from '../../client/session/hash-user-id.ts';
import { findHoursChange, readOpeningHours } from '../../protocol/index.ts';
import { readTimestampMs } from '../../protocol/read-timestamp.ts';
import { createBubble } from '../launcher/bubble.ts';
import { createLauncher } from '../launcher/launcher.ts';
import { canDraw } from './can-draw.ts';

/** Replaces methods like Prototype.js 1.7 (`entries`, `scrollTo`, `remove`) and MooTools 1.4 (the others). */
const REPLACED: readonly (readonly [object, string, unknown])[] = [
  [
    Array.prototype,
    'entries',
    function (this: unknown[]) {
      return [...this];
    },
  ],
  [HTMLElement.prototype, 'scrollTo', () => undefined],
  [
    HTMLElement.prototype,
    'remove',
    function (this: Node & { readonly parentNode: Node }) {
      return this.parentNode.removeChild(this);
    },
  ],
  [Array, 'from', (list: ArrayLike<unknown>) => Array.prototype.slice.call(list)],
  [Date, 'parse', (text: string) => new Date(text)],
  [window, 'Document', class {}],
];
const restore: (() => void)[] = [];
beforeEach(() => {
  for (const [target, name, value] of REPLACED) {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    restore.push(() => {
      Reflect.deleteProperty(target, name);
      if (before) Object.defineProperty(target, name, before);
    });
  }
});
afterEach(() => {
  for (const undo of restore) undo();
});

// One test, because the runner in the page needs the same methods to report others.
it('works on a page whose library replaces methods of the browser', async () => {
  const { panel, chat, find, root, destroy } = mountPanel();
  panel.open(true);
  for (let count = 1; count <= 40; count += 1) chat.says(`Ferry ${count}`);
  await expect.poll(() => root.querySelectorAll('.rich').length).toBeGreaterThan(20);
  const viewport = find('.viewport');
  viewport.scrollTop = 0;
  await vi.waitFor(() => find<HTMLButtonElement>('.below').click());
  const pxToEnd = () => viewport.scrollHeight - viewport.clientHeight - viewport.scrollTop;
  await expect.poll(pxToEnd).toBeLessThan(2);
  destroy();
  expect(readTimestampMs('2026-11-28T10:00:00.25Z')).toBe(Date.UTC(2026, 10, 28, 10, 0, 0, 250));
  const hours = readOpeningHours('Mo-We 09:00-17:00; Dec 25 off');
  expect([...(hours.rules[0]?.days ?? [])]).toEqual([1, 2, 3]);
  expect(findHoursChange(hours, Date.UTC(2028, 11, 25))).toBe(Date.UTC(2028, 11, 26, 9));
  expect(await hashUserId('here', '7')).toMatch(/^sha256:[\da-f]{64}$/);
  expect(canDraw()).toBe(true);
  const noop = (): void => {};
  const launcherRoot = document.createElement('div').attachShadow({ mode: 'open' });
  const { button, setFault } = createLauncher(launcherRoot, noop, noop);
  const bubble = createBubble(launcherRoot, button, noop);
  // Neither is in the page yet.
  setFault();
  bubble.show('', 'Dismiss');
  setFault('The chat did not load.');
  bubble.show('Can we help?', 'Dismiss');
  expect(launcherRoot.querySelectorAll('[role=alert], .teaser')).toHaveLength(2);
  setFault();
  bubble.destroy();
  expect(launcherRoot.querySelectorAll('[role=alert], .teaser')).toHaveLength(0);
});
