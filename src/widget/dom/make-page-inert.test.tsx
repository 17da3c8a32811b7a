import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';

let view: MountedPanel;
afterEach(async () => {
  view.destroy();
  document.body.replaceChildren();
  await page.viewport(1_000, 800);
});

function addPage() {
  const [before, was, after] = ['button', 'div', 'main'].map((tag) => document.createElement(tag));
  if (!before || !was || !after) throw new Error('Three elements were asked for.');
  was.inert = true;
  document.body.append(before, was);
  view = mountPanel();
  document.body.append(after);
  return () => [before, was, after, view.launcher, view.host].map(({ inert }) => inert);
}
const isModal = () => view.find('[role=dialog]').ariaModal;

it('makes the open panel modal and the page inert on a small screen, until the panel closes', async () => {
  await page.viewport(390, 700);
  const inert = addPage();
  expect(inert()).toEqual([false, true, false, false, false]);
  view.panel.open(true);
  await vi.waitFor(() => expect(isModal()).toBe('true'));
  expect(inert()).toEqual([true, true, true, true, false]);
  view.panel.close(true);
  expect(inert()).toEqual([false, true, false, false, false]);
  expect(view.root.activeElement).toBe(view.launcher);
});

it('is not modal beside the page, and becomes modal when the window gets small', async () => {
  await page.viewport(1_000, 800);
  const inert = addPage();
  view.panel.open(true);
  expect(isModal()).toBeNull();
  expect(inert()).toEqual([false, true, false, false, false]);
  await page.viewport(390, 700);
  await vi.waitFor(() => expect(inert()).toEqual([true, true, true, true, false]));
  expect(isModal()).toBe('true');
  view.panel.destroy();
  expect(inert()).toEqual([false, true, false, false, false]);
});
