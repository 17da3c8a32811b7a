import { afterEach, expect, it, vi } from 'vitest';
import { createFakeChat, MAREN } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import type { Feedback } from '../../../client/index.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

async function answer(feedback = true, chat = createFakeChat()): Promise<void> {
  view = mountPanel({ features: feedback ? ['feedback'] : [] }, chat);
  view.chat.canGiveFeedback.value = true;
  view.panel.open(true);
  view.chat.asks('When?');
  view.chat.says('At 9:20');
  if (feedback) await vi.waitFor(() => view.find('.feedback'));
}

const given = () => view.chat.commands.filter((command) => command.startsWith('feedback'));
const pressed = () => view.all('.thumb').map(({ ariaPressed }) => ariaPressed);
const type = (into: HTMLTextAreaElement, words: string): void => {
  into.value = words;
  into.dispatchEvent(new Event('input', { bubbles: true }));
};
const field = () => vi.waitFor(() => view.find<HTMLTextAreaElement>('.reason textarea'));

it('sends a rating at once, and a reason after it if the visitor writes one', async () => {
  await answer();
  expect(pressed()).toEqual(['false', 'false']);
  view.button('Bad answer').click();
  const reason = await field();
  expect(reason.ariaLabel).toBe('What was wrong?');
  expect(given()).toEqual(['feedback item-2 down']);
  expect(pressed()).toEqual(['false', 'true']);
  type(reason, 'It is at 9:40');
  view.button('Send').click();
  await vi.waitFor(() =>
    expect(view.find('.feedback [role=status]').textContent).toBe('Thank you for your feedback.'),
  );
  expect(given()).toEqual(['feedback item-2 down', 'feedback item-2 down It is at 9:40']);
  expect(view.all('.reason')).toEqual([]);
  expect(view.root.activeElement).toBe(view.button('Bad answer'));
});

it('scrolls the whole reason form into view', async () => {
  await answer();
  for (let line = 0; line < 30; line += 1) view.chat.says(`At ${line}:20`);
  await vi.waitFor(() => expect(view.all('.feedback')).toHaveLength(31));
  const button = view.all('.thumb').at(-1);
  button?.scrollIntoView({ block: 'end' });
  button?.click();
  await field();
  const viewport = view.find('.viewport');
  expect(view.find('.reason').getBoundingClientRect().bottom).toBeLessThanOrEqual(
    // Scroll positions are rounded to parts of a pixel.
    viewport.getBoundingClientRect().bottom + 0.5,
  );
});

it('gives an empty reason field the direction of the panel', async () => {
  view = mountPanel({ features: 'feedback', language: 'ar' });
  view.chat.canGiveFeedback.value = true;
  view.panel.open(true);
  view.chat.asks('When?');
  view.chat.says('At 9:20');
  (await vi.waitFor(() => view.find('.thumb'))).click();
  const reason = await field();
  await vi.waitFor(() => expect(getComputedStyle(reason).direction).toBe('rtl'));
  type(reason, 'Short');
  await vi.waitFor(() => expect(getComputedStyle(reason).direction).toBe('ltr'));
});

it('takes a rating back when the same button is pressed again', async () => {
  await answer();
  view.button('Good answer').click();
  await field();
  view.button('Good answer').click();
  await vi.waitFor(() => expect(view.all('.reason')).toEqual([]));
  expect(given()).toEqual(['feedback item-2 up', 'feedback item-2 null']);
  expect(pressed()).toEqual(['false', 'false']);
});

it.each(['Skip', 'Escape'])(
  'closes the reason field with %s, and keeps the chat and the rating',
  async (way) => {
    await answer();
    view.button('Good answer').click();
    const reason = await field();
    if (way === 'Skip') view.button('Skip').click();
    else reason.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await vi.waitFor(() => expect(view.all('.reason')).toEqual([]));
    expect(given()).toEqual(['feedback item-2 up']);
    expect(view.root.activeElement).toBe(view.button('Good answer'));
    expect(view.events.map(({ name }) => name)).not.toContain('close');
  },
);

it('keeps a reason when Escape closes its field: the same button shows it again and takes nothing back', async () => {
  await answer();
  view.button('Bad answer').click();
  type(await field(), 'It is at 9:40');
  view.find('.reason textarea').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(view.all('.reason')).toEqual([]));
  view.button('Bad answer').click();
  expect((await field()).value).toBe('It is at 9:40');
  expect(pressed()).toEqual(['false', 'true']);
  view.button('Send').click();
  await vi.waitFor(() => expect(view.all('.reason')).toEqual([]));
  expect(given()).toEqual(['feedback item-2 down', 'feedback item-2 down It is at 9:40']);
});

it.each(['Send', 'Skip'])('empties the reason field after %s', async (way) => {
  await answer();
  view.button('Bad answer').click();
  type(await field(), 'It is at 9:40');
  view.button(way).click();
  await vi.waitFor(() => expect(view.all('.reason')).toEqual([]));
  view.button('Bad answer').click();
  await vi.waitFor(() => expect(pressed()).toEqual(['false', 'false']));
  view.button('Bad answer').click();
  expect((await field()).value).toBe('');
});

it('thanks for a reason when it is stored, and not while it is being sent', async () => {
  let delivery: Feedback['delivery'] = { status: 'sent' };
  const chat = createFakeChat();
  chat.feedback = (_, rating, reason = '') => {
    const entry = chat.messages.peek().at(-1);
    const item = entry?.peek();
    if (entry && item?.kind === 'agent') entry.value = { ...item, feedback: { rating, reason, delivery } };
  };
  const deliver = (next: Feedback['delivery']) => {
    delivery = next;
    chat.feedback('', 'down', 'Wrong');
  };
  const status = () => view.find('.feedback [role=status]').textContent;
  await answer(true, chat);
  view.button('Bad answer').click();
  type(await field(), 'Wrong');
  delivery = { status: 'pending' };
  view.button('Send').click();
  await vi.waitFor(() => expect(view.all('.reason')).toEqual([]));
  expect(status()).toBe('');
  deliver({ status: 'failed', reason: 'no_answer', isRetryable: true });
  await vi.waitFor(() => expect(status()).toBe('Not saved.'));
  delivery = { status: 'pending' };
  view.button('Try again').click();
  await vi.waitFor(() => expect(status()).toBe(''));
  deliver({ status: 'sent' });
  await vi.waitFor(() => expect(status()).toBe('Thank you for your feedback.'));
});

it('says that a rating was not saved, and sends it again', async () => {
  await answer();
  const entry = view.chat.messages.peek().at(-1);
  const item = entry?.peek();
  if (!entry || item?.kind !== 'agent') throw new Error('There is no answer.');
  const delivery = { status: 'failed', reason: 'no_answer', isRetryable: true } as const;
  entry.value = { ...item, feedback: { rating: 'down', reason: 'Wrong', delivery } };
  await vi.waitFor(() => expect(view.find('.feedback [role=status]').textContent).toBe('Not saved.'));
  view.button('Try again').click();
  expect(given()).toEqual(['feedback item-2 down Wrong']);
});

it('offers no rating of a person’s message, of a streaming answer, or if the platform accepts none', async () => {
  await answer();
  view.chat.says('Hello', { speaker: MAREN });
  view.chat.says('Once upon', { isStreaming: true });
  await vi.waitFor(() => expect(view.all('.message.agent')).toHaveLength(3));
  expect(view.all('.feedback')).toHaveLength(1);
  view.chat.canGiveFeedback.value = false;
  await vi.waitFor(() => expect(view.all('.feedback')).toEqual([]));
});

it('offers no rating of messages from before the visitor’s first', async () => {
  view = mountPanel({ features: 'feedback' });
  view.chat.canGiveFeedback.value = true;
  view.panel.open(true);
  view.chat.says('Hello!');
  view.chat.asks('When?');
  view.chat.says('At 9:20');
  await vi.waitFor(() => expect(view.all('.feedback')).toHaveLength(1));
  expect(view.all('.message.agent').map((one) => one.querySelector('.feedback') !== null)).toEqual([
    false,
    true,
  ]);
});

it('offers no rating unless the site has enabled it', async () => {
  await answer(false);
  await vi.waitFor(() => expect(view.all('.message.agent')).toHaveLength(1));
  expect(view.all('.feedback')).toEqual([]);
});
