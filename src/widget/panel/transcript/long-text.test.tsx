import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

it('shows the first lines of a visitor’s long message, and all of them on request', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.asks('Short.');
  view.chat.asks(Array.from({ length: 40 }, (_, line) => `Line ${line}`).join('\n'));
  await vi.waitFor(() => expect(view.all('.bubble')).toHaveLength(2));
  expect(view.all('.unfold')).toHaveLength(1);
  const height = () => view.all('.bubble').at(-1)?.offsetHeight ?? 0;
  const folded = height();
  expect(folded).toBeLessThan(300);
  view.button('Show more').click();
  await vi.waitFor(() => expect(height()).toBeGreaterThan(3 * folded));
  expect(view.button('Show less').ariaExpanded).toBe('true');
  view.button('Show less').click();
  await vi.waitFor(() => expect(height()).toBe(folded));
});

it('draws messages of emoji only large, without a bubble', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.asks('👍');
  view.chat.asks('Thanks 👍');
  await vi.waitFor(() => expect(view.all('.bubble')).toHaveLength(2));
  const [alone, within] = view.all('.bubble').map((bubble) => getComputedStyle(bubble));
  expect(Number.parseFloat(alone?.fontSize ?? '')).toBeGreaterThan(30);
  expect(alone?.backgroundColor).toBe('rgba(0, 0, 0, 0)');
  // In a font without colours, an emoji is a glyph on the panel's background.
  expect(alone?.color).toBe(getComputedStyle(view.find('.panel')).color);
  expect(within?.fontSize).toBe('15px');
});
