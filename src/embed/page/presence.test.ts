import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { NatterWidget } from '../create-widget.ts';
import { mount } from '../mount.ts';

let widget: NatterWidget;
const host = () => document.querySelector('natter-chat') as HTMLElement;
const find = <E extends HTMLElement>(selector: string) => host().shadowRoot?.querySelector(selector) as E;

beforeEach(async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 404 }));
  widget = mount({ endpoint: 'https://chat.example.com' });
  await widget.open();
});
afterEach(async () => {
  await widget.destroy();
  vi.unstubAllGlobals();
});

/** Types into the composer as a visitor does. */
function type(text: string): void {
  const field = find<HTMLTextAreaElement>('.field');
  field.focus();
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

it('returns with the open panel, the draft and the focus after a script has removed it from the page', async () => {
  type('Is the fer');
  const [before, field] = [host(), find('.field')];
  before.remove();
  expect(widget.isOpen).toBe(false);
  await expect.poll(() => before.isConnected).toBe(true);
  expect([widget.isOpen, find('.field')]).toEqual([true, field]);
  expect(find<HTMLTextAreaElement>('.field').value).toBe('Is the fer');
  expect(host().shadowRoot?.activeElement).toBe(field);
});

it('is back at once for `open`, which rejects while a style sheet of the browser or an extension hides the widget', async () => {
  await widget.close();
  host().remove();
  await widget.open();
  expect([host().isConnected, widget.isOpen]).toEqual([true, true]);
  await widget.close();
  const hidden = vi.spyOn(Element.prototype, 'checkVisibility').mockReturnValue(false);
  await expect(widget.open()).rejects.toThrow('cannot be seen');
  expect(widget.isOpen).toBe(false);
  hidden.mockRestore();
  await widget.open();
  expect(widget.isOpen).toBe(true);
});

it('does not hang a page that removes it again and again, and returns when that ends', async () => {
  const element = host();
  let removals = 0;
  const observer = new MutationObserver(() => {
    if (!element.isConnected) return;
    removals += 1;
    element.remove();
  });
  observer.observe(document.documentElement, { childList: true });
  element.remove();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(removals).toBeGreaterThan(1);
  expect(removals).toBeLessThan(12);
  observer.disconnect();
  await expect.poll(() => element.isConnected).toBe(true);
});

it('names the script that removed the widget twice in the diagnosis', async () => {
  const read = async () => (await widget.doctor()).findings.find(({ check }) => check === 'presence');
  host().remove();
  await expect.poll(() => document.querySelector('natter-chat')).not.toBeNull();
  expect(await read()).toMatchObject({ status: 'ok' });
  document.documentElement.removeChild(host());
  await expect.poll(() => document.querySelector('natter-chat')).not.toBeNull();
  const finding = await read();
  expect(finding?.status).toBe('warning');
  expect(finding?.message).toMatch(/2 times .*[Rr]emoved by https?:\S+presence\.test\.ts\S*:\d+:\d+/);
});

it('stays away once it is destroyed', async () => {
  const element = host();
  await widget.destroy();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(element.isConnected).toBe(false);
});

it.each(['transform: translateY(0)', 'contain: paint', 'will-change: transform', 'perspective: 100px'])(
  'is in the corner of the window on a page with `html { %s }`',
  async (style) => {
    await widget.close();
    const filler = document.createElement('div');
    filler.style.height = '3000px';
    document.body.append(filler);
    document.documentElement.style.cssText = style;
    await expect
      .poll(() => find('.launcher').getBoundingClientRect().bottom)
      .toBeLessThanOrEqual(innerHeight);
    expect(find('.launcher').getBoundingClientRect().top).toBeGreaterThan(innerHeight / 2);
    scrollTo(0, 1_000);
    await widget.open();
    await expect.poll(() => find('.panel').getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
    expect(find('.panel').getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight + 1);
    document.documentElement.style.cssText = '';
    filler.remove();
  },
);

it.each([
  [1.5, 1_000],
  [0.5, 1_000],
  [1.5, 414],
  [0.8, 414],
])(
  'has an open panel inside the window on a page with `html { zoom: %s }`, %s px wide',
  async (zoom, width) => {
    await page.viewport(width, 800);
    await widget.close();
    document.documentElement.style.cssText = `zoom: ${zoom}`;
    await widget.open();
    await expect.poll(() => getComputedStyle(find('.panel')).transform).toBe('none');
    const { top, bottom } = find('.frame').getBoundingClientRect();
    // A sheet fills the window; a panel has space above and below.
    const gapPx = width < 480 ? 0 : 12 * zoom;
    expect(top).toBeGreaterThanOrEqual(gapPx - 1);
    expect(bottom).toBeLessThanOrEqual(801);
    if (gapPx === 0) expect(bottom - top).toBeGreaterThan(799);
    document.documentElement.style.cssText = '';
    await page.viewport(414, 896);
  },
);
