import { afterEach, expect, it } from 'vitest';
import { type ChatHarness, settle, trackHarnesses, until } from '../../test/chat-harness.ts';
import { tabsOf } from '../../test/shared-tabs.ts';
import type { Feedback } from './index.ts';

const { harness, greeted, reload } = trackHarnesses(afterEach);
const { pair } = tabsOf(harness);

const OFFERED = { capabilities: { extensions: ['feedback'] } };

/** Feedback that the platform has stored. */
const stored = ({ platform }: ChatHarness): readonly unknown[] =>
  platform.session.received
    .filter(({ type }) => type === 'EVENT_TYPE_X_FEEDBACK')
    .map(({ payload }) => payload);

/** The rating of the answer `m` as shown. */
const shown = ({ chat }: ChatHarness): Feedback | undefined => {
  const item = chat.messages.value
    .map((entry) => entry.value)
    .find((one) => one.kind === 'agent' && one.messageId === 'm');
  if (item?.kind !== 'agent') throw new Error('The answer is not shown.');
  return item.feedback;
};

const isSaved = (one: ChatHarness): boolean => shown(one)?.delivery.status === 'sent';

async function answered(...parameters: Parameters<typeof greeted>): Promise<ChatHarness> {
  const one = await greeted(...parameters);
  one.platform.session.emit('EVENT_TYPE_AGENT_MESSAGE', { message_id: 'm', text: 'At 9:20' });
  await until(() => one.lines().at(-1) === 'agent: At 9:20');
  return one;
}

it('stores a rating, then a reason, then its withdrawal; the last one counts on the next page (EXT-3)', async () => {
  const one = await answered(OFFERED);
  expect(one.chat.canGiveFeedback.value).toBe(true);
  one.chat.feedback('m', 'up');
  expect(shown(one)).toMatchObject({ rating: 'up', reason: null });
  await until(() => isSaved(one));
  one.chat.feedback('m', 'down', '  It is at 9:40.  ');
  await until(() => isSaved(one) && shown(one)?.rating === 'down');
  expect(shown(one)).toEqual({ rating: 'down', reason: 'It is at 9:40.', delivery: { status: 'sent' } });
  expect(one.chat.getSnapshot().messages.at(-1)).toMatchObject({ feedback: { rating: 'down' } });
  const next = reload(one);
  await next.chat.start();
  await until(() => next.lines().at(-1) === 'agent: At 9:20' && isSaved(next));
  expect(shown(next)).toMatchObject({ rating: 'down', reason: 'It is at 9:40.' });
  next.chat.feedback('m', null);
  await until(() => shown(next) === undefined);
  expect(stored(one)).toEqual([
    { message_id: 'm', rating: 'up', reason: null },
    { message_id: 'm', rating: 'down', reason: 'It is at 9:40.' },
    { message_id: 'm', rating: null, reason: null },
  ]);
});

it('keeps a rating given while offline over a reload, and sends it once', async () => {
  const one = await answered({ ...OFFERED, hears: true });
  one.chat.send('Thanks');
  await until(() => one.lines().at(-1) === 'user: Thanks');
  one.device.setOnline(false);
  one.chat.feedback('m', 'up', 'Right');
  one.chat.feedback('m', 'down', 'Wrong');
  expect(shown(one)).toMatchObject({ rating: 'down', delivery: { status: 'queued' } });
  expect(one.lines().at(-1)).toBe('user: Thanks');
  await settle();
  const next = reload(one);
  await next.chat.start();
  await until(() => stored(one).length === 1);
  await until(() => isSaved(next));
  expect(stored(one)).toEqual([{ message_id: 'm', rating: 'down', reason: 'Wrong' }]);
});

it('shows a rating in all tabs, and sends it from the tab with the socket', async () => {
  const [first, second] = await pair(OFFERED);
  first.platform.session.emit('EVENT_TYPE_AGENT_MESSAGE', { message_id: 'm', text: 'At 9:20' });
  await until(() => second.lines().at(-1) === 'agent: At 9:20');
  second.chat.feedback('m', 'up');
  expect(shown(second)?.rating).toBe('up');
  await until(() => isSaved(first) && isSaved(second));
  expect(stored(first)).toHaveLength(1);
});

it('keeps suggestions after a rating, and does not count it as a message', async () => {
  const one = await greeted(OFFERED);
  one.platform.session.emit('EVENT_TYPE_AGENT_MESSAGE', {
    message_id: 'm',
    text: 'At 9:20',
    response_suggestions: [{ message_text: 'Book it' }],
  });
  await until(() => one.chat.suggestions.value.length === 1);
  one.platform.options = { ...one.platform.options, echoes: false };
  one.chat.feedback('m', 'up');
  await until(() => stored(one).length === 1);
  expect(one.chat.suggestions.value).toHaveLength(1);
  expect(one.lines().at(-1)).toBe('agent: At 9:20');
});

it('reports a rating that could not be stored, and sends it again when repeated', async () => {
  const one = await answered({ ...OFFERED, hears: true });
  one.platform.options = { ...one.platform.options, hears: false };
  one.chat.feedback('m', 'up');
  await one.clock.advance(40_000);
  await until(() => shown(one)?.delivery.status === 'failed');
  one.platform.options = { ...one.platform.options, hears: true };
  one.chat.feedback('m', 'up');
  await until(() => isSaved(one));
});

it.each(['unknown', ''])(
  "ignores a rating of the message %j, which is not the agent's",
  async (messageId) => {
    const one = await answered(OFFERED);
    one.chat.feedback(messageId, 'up');
    await settle();
    expect(stored(one)).toEqual([]);
  },
);

it('offers no ratings if neither platform nor proxy accepts them (EXT-6)', async () => {
  const one = await answered();
  expect(one.chat.canGiveFeedback.value).toBe(false);
  one.chat.feedback('m', 'up');
  await settle();
  expect(shown(one)).toBeUndefined();
  expect(stored(one)).toEqual([]);
});

it("sends ratings to the proxy's hook if the platform does not accept them (EXT-6)", async () => {
  const one = await answered({ offers: ['feedback'] });
  expect(one.chat.canGiveFeedback.value).toBe(true);
  one.chat.feedback('m', 'down', 'Wrong');
  await until(() => isSaved(one));
  const calls = one.platform.calls.filter(({ path }) => path === '/v1/feedback');
  expect(calls.map(({ body }) => body)).toEqual([
    { resume_ticket: expect.any(String), message_id: 'm', rating: 'down', reason: 'Wrong' },
  ]);
  expect(stored(one)).toEqual([]);
});

it('retries a rating at the proxy after a temporary fault, and gives up after a refusal', async () => {
  const one = await answered({ offers: ['feedback'] });
  one.platform.faults.push({ status: 500 });
  one.chat.feedback('m', 'up');
  await settle();
  await one.clock.advance(5_000);
  await until(() => isSaved(one));
  one.platform.faults.push({ status: 400 });
  one.chat.feedback('m', 'down');
  await until(() => shown(one)?.delivery.status === 'failed');
  expect(shown(one)?.rating).toBe('down');
});

it('sends no rating to the proxy if the platform accepts it', async () => {
  const one = await answered({ ...OFFERED, offers: ['feedback'] });
  one.chat.feedback('m', 'up');
  await until(() => isSaved(one));
  expect(one.platform.calls.map(({ path }) => path)).not.toContain('/v1/feedback');
});
