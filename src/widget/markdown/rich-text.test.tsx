import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountWithMarkdown } from '../../../test/widget/mount-panel.ts';

let mounted: MountedPanel | undefined;
afterEach(() => mounted?.destroy());

async function draw(text: string): Promise<HTMLElement> {
  mounted = await mountWithMarkdown();
  mounted.chat.says(text);
  await Promise.resolve();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return mounted.find('.rich');
}

it('draws tasks of a list as check boxes that are named by their text and cannot be pressed', async () => {
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

it('makes tables and code that scroll named tab stops, and others none', async () => {
  const wide = `| ${'A long head | '.repeat(8)}\n|${'---|'.repeat(8)}\n| ${'1 | '.repeat(8)}`;
  const rich = await draw(
    [
      '| A | B |\n|---|---|\n| 1 | 2 |',
      wide,
      '```\nshort\n```',
      `\`\`\`\n${'long '.repeat(40)}\n\`\`\``,
    ].join('\n\n'),
  );
  const stops = () =>
    [...rich.querySelectorAll<HTMLElement>('[tabindex]')].map(({ role, ariaLabel }) => [role, ariaLabel]);
  await vi.waitFor(() =>
    expect(stops()).toEqual([
      ['group', 'Table, 1 row.'],
      ['group', 'Code'],
    ]),
  );
});

it('keeps direction controls in a link from the text around it', async () => {
  const rich = await draw('See [the timetable](https://example.com/\u05d0) today.');
  const link = rich.querySelector('a');
  expect(link && getComputedStyle(link).unicodeBidi).toBe('isolate');
});
