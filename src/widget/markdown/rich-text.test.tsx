import { afterEach, expect, it } from 'vitest';
import { type MountedPanel, mountPanel } from '../testing/mount-panel.ts';

let mounted: MountedPanel | undefined;
afterEach(() => mounted?.destroy());

async function draw(text: string): Promise<HTMLElement> {
  mounted = mountPanel();
  mounted.chat.says(text);
  await Promise.resolve();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return mounted.find('.rich');
}

it('draws the tasks of a list as check boxes that are named by their text and cannot be pressed', async () => {
  const rich = await draw('- [x] Book **now**\n- [ ] Pay\n- Come');
  const boxes = [...rich.querySelectorAll('input')];
  expect(boxes.map(({ type, checked, disabled }) => [type, checked, disabled])).toEqual([
    ['checkbox', true, true],
    ['checkbox', false, true],
  ]);
  expect(boxes.map(({ labels }) => labels?.[0]?.textContent)).toEqual(['Book now', 'Pay']);
});

it('draws quotes with the blocks inside them', async () => {
  const rich = await draw('> Words\n>\n> - an item\n>\n> > more');
  expect([...rich.querySelectorAll('blockquote > *')].map(({ tagName }) => tagName)).toEqual([
    'P',
    'UL',
    'BLOCKQUOTE',
    'P',
  ]);
});
