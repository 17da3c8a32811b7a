import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import * as markdown from '../../markdown/index.ts';
import type * as Parts from '../model/create-lazy-parts.ts';
import { createLazyPart } from '../model/lazy-part.ts';

const load = vi.fn<() => Promise<typeof markdown>>();
vi.mock(import('../model/create-lazy-parts.ts'), async (importOriginal) => {
  const original: typeof Parts = await importOriginal();
  return {
    createLazyParts: (...parameters: Parameters<typeof original.createLazyParts>) => ({
      ...original.createLazyParts(...parameters),
      markdown: createLazyPart(load, () => undefined),
    }),
  };
});

let view: MountedPanel;
afterEach(() => {
  view.destroy();
  load.mockReset();
});

const shown = () => view.all('.rich').map(({ innerHTML }) => innerHTML);

it('draws plain text at once, and loads nothing for it', async () => {
  view = mountPanel();
  view.chat.says('Good morning!\n\nWhen do you\nleave?');
  await vi.waitFor(() =>
    expect(shown()).toEqual(['<p dir="ltr">Good morning!</p><p dir="ltr">When do you<br>leave?</p>']),
  );
  expect(load).not.toHaveBeenCalled();
});

it('draws the text before the first Markdown until the code for Markdown has loaded', async () => {
  let finish = (_: typeof markdown): void => {};
  load.mockReturnValue(new Promise((resolve) => (finish = resolve)));
  view = mountPanel();
  view.chat.says('Good morning!\n\n- Leave at **nine**');
  await vi.waitFor(() => expect(shown()).toEqual(['<p dir="ltr">Good morning!</p>']));
  finish(markdown);
  await vi.waitFor(() => expect(view.find('li').innerHTML).toBe('Leave at <strong>nine</strong>'));
});

it('draws Markdown as it was written if its code does not load, and tries again with the next message', async () => {
  load.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  view = mountPanel();
  view.chat.says('Leave at **nine**\nor ten');
  await vi.waitFor(() => expect(shown()).toEqual(['<p dir="ltr">Leave at **nine**<br>or ten</p>']));
  load.mockResolvedValue(markdown);
  view.chat.says('From `pier 3`');
  await vi.waitFor(() => expect(view.all('.rich strong, .rich code')).toHaveLength(2));
});

it('loads the code for Markdown as soon as the visitor types, in time for the answer', async () => {
  load.mockResolvedValue(markdown);
  view = mountPanel();
  const field = view.find<HTMLTextAreaElement>('.field');
  field.value = 'W';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  expect(load).toHaveBeenCalledOnce();
});
