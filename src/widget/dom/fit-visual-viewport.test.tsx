import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fitVisualViewport } from './fit-visual-viewport.ts';

const page = document.documentElement;
const frame = document.createElement('div');
/** The part of the window above an on-screen keyboard, which browsers in tests lack. */
const viewport = Object.assign(new EventTarget(), { offsetTop: 0, height: 700, scale: 1 });
let stop = (): void => {};
const cover = (): void => {
  stop = fitVisualViewport(frame);
};

beforeEach(() => {
  Object.assign(viewport, { offsetTop: 0, height: 700, scale: 1 });
  vi.stubGlobal('visualViewport', viewport);
});
afterEach(() => {
  stop();
  page.style.overflow = '';
  vi.unstubAllGlobals();
});

const covered = () => [frame.style.getPropertyValue('--_top'), frame.style.getPropertyValue('--_height')];
const become = (change: Partial<typeof viewport>, event = 'resize') => {
  Object.assign(viewport, change);
  viewport.dispatchEvent(new Event(event));
};

it('keeps the sheet above an on-screen keyboard, also if that has scrolled the page', () => {
  expect(covered()).toEqual(['', '']);
  cover();
  expect(covered()).toEqual(['0px', '700px']);
  become({ height: 380 });
  expect(covered()).toEqual(['0px', '380px']);
  become({ offsetTop: 120 }, 'scroll');
  expect(covered()).toEqual(['120px', '380px']);
  become({ offsetTop: 0, height: 700 });
  expect(covered()).toEqual(['0px', '700px']);
});

it('lets the visitor zoom into the page', () => {
  cover();
  become({ height: 350, offsetTop: 80, scale: 2 });
  expect(covered()).toEqual(['0px', '700px']);
});

it.each([
  ['nothing', ''],
  ['its own', 'scroll'],
])('stops the page behind the sheet from scrolling, and restores %s', (_, value) => {
  page.style.overflow = value;
  cover();
  expect(getComputedStyle(page).overflow).toBe('hidden');
  stop();
  expect(page.style.overflow).toBe(value);
  expect(covered()).toEqual(['', '']);
  become({ height: 380 });
  expect(covered()).toEqual(['', '']);
});
