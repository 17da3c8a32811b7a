import type { Signal } from '@preact/signals-core';
import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel, mountWithMarkdown } from '../../../../test/widget/mount-panel.ts';
import type { TranscriptItem } from '../../../client/index.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

/** Simulates a page translator: moves each text into a new element and removes its node. */
function translate(root: ParentNode, respectsMarks: boolean): void {
  const walker = document.createTreeWalker(root as Node, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (respectsMarks && text.parentElement?.closest('[translate=no]')) continue;
    const font = document.createElement('font');
    font.textContent = text.data.toUpperCase();
    text.replaceWith(font);
  }
}

const grow = (entry: Signal<TranscriptItem>, text: string, isStreaming: boolean): void => {
  entry.value = { ...entry.peek(), text, isStreaming } as TranscriptItem;
};
const drawn = () => view.find('.rich').textContent;

for (const [kind, sign] of [
  ['plain words', ''],
  ['Markdown', '**'],
] as const) {
  it(`draws an answer of ${kind} again after a translator has changed it while it grew`, async () => {
    view = sign ? await mountWithMarkdown() : mountPanel();
    view.panel.open(false);
    const entry = view.chat.says(`${sign}The${sign} ferry`, { isStreaming: true });
    await vi.waitFor(() => expect(drawn()).toBe('The ferry'));
    translate(view.find('.rich'), false);
    expect(drawn()).toBe('THE FERRY');
    grow(entry, `${sign}The${sign} ferry leaves at 9:15.`, true);
    grow(entry, `${sign}The${sign} ferry leaves at 9:15. It is on time.`, false);
    await vi.waitFor(() => expect(drawn()).toBe('The ferry leaves at 9:15. It is on time.'));
    expect(view.find('.rich').querySelector('font')).toBeNull();
  });

  it(`stops translators from changing an answer of ${kind} until it is complete`, async () => {
    view = sign ? await mountWithMarkdown() : mountPanel();
    view.panel.open(false);
    const entry = view.chat.says(`${sign}The${sign} ferry`, { isStreaming: true });
    await vi.waitFor(() => expect(view.find('.rich').translate).toBe(false));
    translate(view.find('.rich'), true);
    grow(entry, `${sign}The${sign} ferry leaves.`, false);
    await vi.waitFor(() => expect(drawn()).toBe('The ferry leaves.'));
    const element = view.find('.rich');
    expect(element.translate).toBe(true);
    translate(element, true);
    // Translated text stays translated.
    view.chat.asks('Thank you');
    await vi.waitFor(() => view.find('.bubble'));
    expect([view.find('.rich'), drawn()]).toEqual([element, 'THE FERRY LEAVES.']);
  });
}

it('does not draw an unchanged answer again', async () => {
  view = await mountWithMarkdown();
  view.panel.open(false);
  const text =
    '# Fares\n\n- one **pound**\n- [two](https://ferries.example)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\nThe end\nof it.';
  const entry = view.chat.says(text.slice(0, 60), { isStreaming: true });
  await vi.waitFor(() => view.find('.rich li'));
  const element = view.find('.rich');
  grow(entry, text, false);
  await vi.waitFor(() => view.find('.rich pre'));
  await new Promise(requestAnimationFrame);
  expect(view.find('.rich')).toBe(element);
});
