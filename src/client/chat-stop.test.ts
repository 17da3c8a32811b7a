import { afterEach, expect, it } from 'vitest';
import { type ChatHarness, settle, trackHarnesses, until } from '../../test/chat-harness.ts';

const { greeted, reload } = trackHarnesses(afterEach);

const OFFERED = { capabilities: { extensions: ['stop'] } };

const stops = ({ platform }: ChatHarness): readonly unknown[] =>
  platform.session.received
    .filter(({ type }) => type === 'EVENT_TYPE_X_STOP_RESPONSE')
    .map(({ payload }) => payload);

/** Sends a chunk of the answer `m`. */
function stream({ platform }: ChatHarness, index: number, text: string, isLast = false): void {
  const payload = { message_id: 'm', text, chunk_index: index, is_complete: isLast };
  const custom = isLast ? { stopped: 'true' } : null;
  platform.session.emit('EVENT_TYPE_AGENT_MESSAGE_CHUNK', payload, { custom });
}

async function startStory(...parameters: Parameters<typeof greeted>): Promise<ChatHarness> {
  const one = await greeted(...parameters);
  expect(one.chat.canStopAnswer.value).toBe(false);
  one.chat.send('A story, please');
  await until(() => one.platform.session.userTexts.length === 1);
  stream(one, 1, 'Once upon ');
  await until(() => one.chat.canStopAnswer.value);
  return one;
}

const lastItem = ({ chat }: ChatHarness): unknown => chat.messages.value.at(-1)?.value;

it('shows no more of a stopped answer and stops the platform; the next page shows the same text (EXT-4)', async () => {
  const one = await startStory(OFFERED);
  one.chat.stopAnswer();
  expect(one.chat.canStopAnswer.value).toBe(false);
  one.chat.stopAnswer();
  await until(() => stops(one).length === 1);
  expect(stops(one)).toEqual([{ message_id: 'm' }]);
  // In flight when the platform stopped.
  stream(one, 2, 'a time');
  stream(one, 3, '', true);
  await settle();
  expect(lastItem(one)).toMatchObject({ text: 'Once upon ', isStreaming: false, isStopped: true });
  expect(stops(one)).toHaveLength(1);
  const next = reload(one);
  await next.chat.start();
  await until(() => next.lines().length === one.lines().length);
  expect(lastItem(next)).toMatchObject({ text: 'Once upon a time', isStopped: true });
});

it('sends no stop for completed answers', async () => {
  const one = await startStory(OFFERED);
  stream(one, 2, 'a time', false);
  const payload = { message_id: 'm', text: '.', chunk_index: 3, is_complete: true };
  one.platform.session.emit('EVENT_TYPE_AGENT_MESSAGE_CHUNK', payload);
  await until(() => !one.chat.canStopAnswer.value);
  expect(lastItem(one)).not.toHaveProperty('isStopped');
});

it('hides the rest on platforms that cannot stop, in one piece or in many (EXT-6)', async () => {
  const one = await startStory();
  one.chat.stopAnswer();
  expect(one.chat.canStopAnswer.value).toBe(false);
  stream(one, 2, 'a time');
  const whole = { message_id: 'm', text: 'Once upon a time' };
  one.platform.session.emit('EVENT_TYPE_AGENT_MESSAGE', whole);
  one.platform.session.say('Anything else?');
  await until(() => one.lines().at(-1) === 'agent: Anything else?');
  expect(one.lines().slice(-2)).toEqual(['agent: Once upon ', 'agent: Anything else?']);
  expect(one.chat.messages.value.at(-2)?.value).toMatchObject({ isStreaming: false, isStopped: true });
  expect(stops(one)).toEqual([]);
});

it('hides the rest of a stopped answer after a lost connection', async () => {
  const one = await startStory(OFFERED);
  one.platform.session.drop();
  await until(() => one.chat.connection.value.status === 'reconnecting');
  one.chat.stopAnswer();
  stream(one, 2, 'a time');
  await one.clock.advance(2_000);
  await until(() => one.chat.connection.value.status === 'open');
  await settle();
  expect(lastItem(one)).toMatchObject({ text: 'Once upon ', isStopped: true });
});
