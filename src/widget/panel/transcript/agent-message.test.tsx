import { afterEach, expect, it, vi } from 'vitest';
import { MAREN } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const LONG =
  'This answer is longer than one line of the panel, so that its first line reaches the end. '.repeat(3);

/** Returns the first words of each text that `over` covers. */
function covered(over: HTMLElement): readonly string[] {
  const { left, right, top, bottom } = over.getBoundingClientRect();
  const texts: string[] = [];
  for (const element of view.all('.rich p, .bubble, .sources a')) {
    const range = document.createRange();
    range.selectNodeContents(element);
    const isCovered = [...range.getClientRects()].some(
      (box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top,
    );
    if (isCovered) texts.push(element.textContent.slice(0, 20));
  }
  return texts;
}

it('has time and buttons of a message where they cover no text of it or of the next', async () => {
  view = mountPanel({ features: ['feedback'] });
  view.chat.canGiveFeedback.value = true;
  view.panel.open(true);
  view.chat.says(LONG);
  view.chat.asks(LONG);
  view.chat.says(LONG);
  view.chat.asks(LONG);
  view.chat.speaker.value = MAREN;
  view.chat.says(LONG);
  view.chat.says(LONG);
  await vi.waitFor(() => expect(view.all('.thumb')).toHaveLength(2));
  for (const tools of view.all('.time, .copy, .thumb')) expect(covered(tools)).toEqual([]);
});

it('has the rating of the latest answer on the line of its time', async () => {
  view = mountPanel({ features: ['feedback'] });
  view.chat.canGiveFeedback.value = true;
  view.panel.open(true);
  view.chat.says('Hello');
  view.chat.asks('When?');
  view.chat.says('At 9:20');
  await vi.waitFor(() => view.find('.thumb'));
  const middle = (selector: string) => {
    const { top, height } = view.find(selector).getBoundingClientRect();
    return top + height / 2;
  };
  expect(middle('.thumb')).toBeCloseTo(middle('.group:last-child .copy'), 0);
});

it('has an address in a person’s message on one line if the panel is wide enough', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.speaker.value = MAREN;
  view.chat.says('refunds@kittiwakeferries.example.com');
  const link = await vi.waitFor(() => view.find('.person > .rich a'));
  const range = document.createRange();
  range.selectNodeContents(link);
  expect(range.getClientRects()).toHaveLength(1);
  // The bubble is no wider than the column of messages.
  const { right } = view.find('.person > .rich').getBoundingClientRect();
  expect(right).toBeLessThanOrEqual(view.find('.group').getBoundingClientRect().right);
});
