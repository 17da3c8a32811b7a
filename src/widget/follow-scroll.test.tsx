import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from './testing/mount-panel.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const viewport = () => view.find('.viewport');
const questionTop = () => {
  const question = view.all('.visitor').at(-1);
  return (question?.getBoundingClientRect().top ?? 0) - viewport().getBoundingClientRect().top;
};
const grow = (answer: ReturnType<MountedPanel['chat']['says']>, paragraphs: number) => {
  answer.value = {
    ...answer.value,
    text: 'A line of the answer.\n\n'.repeat(paragraphs),
  } as typeof answer.value;
};

it('stays at the question while a long answer grows, and says that there is more below', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.says('Hello.\n\n'.repeat(6));
  view.chat.asks('How?');
  const answer = view.chat.says('', { isStreaming: true });
  grow(answer, 40);
  await vi.waitFor(() => expect(questionTop()).toBeCloseTo(12, 0));
  await vi.waitFor(() => expect(view.find('.below').textContent).toBe('New below'));
  grow(answer, 80);
  await vi.waitFor(() => expect(view.all('.rich').at(-1)?.childElementCount).toBe(80));
  expect(questionTop()).toBeCloseTo(12, 0);
});

it('lets go at the first step up, and takes the reader down when asked', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.asks('How?');
  const answer = view.chat.says('', { isStreaming: true });
  grow(answer, 40);
  await vi.waitFor(() => expect(view.find('.below').textContent).toBe('New below'));
  view.button('New below').click();
  const end = () => viewport().scrollHeight - viewport().clientHeight - viewport().scrollTop;
  await vi.waitFor(() => expect(end()).toBeLessThan(2));
  viewport().scrollTop -= 30;
  await vi.waitFor(() => expect(view.find('.below')).toBeTruthy());
  const top = viewport().scrollTop;
  grow(answer, 60);
  await vi.waitFor(() => expect(view.all('.rich').at(-1)?.childElementCount).toBe(60));
  expect(viewport().scrollTop).toBe(top);
});
