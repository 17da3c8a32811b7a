import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

const AT_MS = Date.UTC(2026, 10, 21, 13, 30, 5);

let view: MountedPanel;
afterEach(() => {
  view.destroy();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('shows the time of a message, and its day, second and zone on request, by keyboard too', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.asks('Hello', { status: 'sent' }, AT_MS);
  const time = await vi.waitFor(() => view.find<HTMLButtonElement>('.visitor .time'));
  await vi.waitFor(() => expect(time.textContent).not.toBe(''));
  const [locale = ''] = navigator.languages;
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }).format(AT_MS);
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(AT_MS);
  expect(time.querySelector('time')?.dateTime).toBe('2026-11-21T13:30:05.000Z');
  expect([time.textContent, time.title, time.ariaExpanded]).toEqual([clock, exact, 'false']);
  // The keyboard reaches it, and a focused element is visible.
  time.focus();
  expect(view.root.activeElement).toBe(time);
  await vi.waitFor(() => expect(getComputedStyle(time).opacity).toBe('1'));
  time.click();
  await vi.waitFor(() => expect([time.textContent, time.ariaExpanded]).toEqual([exact, 'true']));
  expect(exact).toMatch(/UTC|GMT|[A-Z]{3,4}$/);
  time.blur();
  expect(getComputedStyle(time).opacity).toBe('1');
  time.click();
  await vi.waitFor(() => expect(time.textContent).toBe(clock));
});

it('shows a message before the browser is idle, and its time afterwards', async () => {
  const waiting: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (act: () => void) => waiting.push(act));
  const create = vi.spyOn(Intl, 'DateTimeFormat');
  view = mountPanel();
  view.panel.open(true);
  // A message of today, because other days have a separate line with the date.
  view.chat.asks('Hello');
  const time = await vi.waitFor(() => view.find('.visitor .time'));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  expect([time.textContent, create.mock.calls]).toEqual(['', []]);
  expect(time.checkVisibility({ visibilityProperty: true }), 'a button without a name').toBe(false);
  for (const act of waiting) act();
  await vi.waitFor(() => expect(time.textContent).toMatch(/\d/));
  expect(time.checkVisibility({ visibilityProperty: true })).toBe(true);
});

it('stays in view when the exact time takes a separate line below a long answer', async () => {
  view = mountPanel({ renderMode: 'inline' });
  view.host.style.cssText = 'contain: layout; display: block; width: 400px; height: 400px';
  view.panel.open(true);
  view.chat.asks('How?');
  view.chat.says('One line.\n\n'.repeat(30));
  await vi.waitFor(() => expect(view.find('.tools .time').textContent).not.toBe(''));
  const viewport = view.find('.viewport');
  viewport.scrollTop = viewport.scrollHeight;
  await vi.waitFor(() => expect(viewport.scrollTop).toBeGreaterThan(100));
  view.find('.tools .time').click();
  await vi.waitFor(() => expect(view.find('.tools .time').ariaExpanded).toBe('true'));
  await vi.waitFor(() =>
    expect(view.find('.tools .time').getBoundingClientRect().bottom).toBeLessThanOrEqual(
      // Scroll positions are rounded to parts of a pixel.
      viewport.getBoundingClientRect().bottom + 0.5,
    ),
  );
});

it('copies an agent’s message without its Markdown', async () => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  view = mountPanel();
  view.chat.asks('Hello');
  view.chat.says('Dogs travel **free**.');
  await vi.waitFor(() => view.find('.rich strong'));
  await vi.waitFor(() => view.button('Copy message').click());
  await vi.waitFor(() => expect(view.button('Copied')).toBeTruthy());
  expect(copied).toEqual(['Dogs travel free.']);
  vi.restoreAllMocks();
});
