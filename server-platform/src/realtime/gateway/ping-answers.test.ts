import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { PingAnswers } from './ping-answers.ts';

// Fake time moves only when the test advances it, so a slow machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function createAnswers(perSecond = 1) {
  const clock = createSkippingClock();
  const answered: string[] = [];
  const answers = new PingAnswers({ clock, perSecond, answer: (data) => answered.push(String(data)) });
  return {
    answers,
    answered,
    ping: (...names: string[]) => {
      for (const name of names) answers.take(Buffer.from(name));
    },
    skip: (byMs: number) => clock.skip(byMs),
  };
}

const TEN = Array.from({ length: 10 }, (_, index) => `ping ${index}`);

it('answers ten pings at once, then only the last one, a second later, and then as before', () => {
  const { answered, ping, skip } = createAnswers();
  ping(...TEN, 'too many', 'far too many', 'the last');
  expect(answered).toEqual(TEN);
  skip(1_000);
  expect(answered.slice(10)).toEqual(['the last']);
  ping('next', 'again too many');
  expect(answered.slice(11)).toEqual(['next']);
  skip(1_000);
  expect(answered.slice(12)).toEqual(['again too many']);
});

it('answers no ping early while one is delayed', () => {
  const { answered, ping, skip } = createAnswers(5);
  ping(...TEN, 'waits');
  skip(999);
  ping('later');
  expect(answered).toHaveLength(10);
  skip(1);
  expect(answered.slice(10)).toEqual(['later']);
});

it('answers a delayed ping with the payload it arrived with', () => {
  const { answers, answered, ping, skip } = createAnswers();
  ping(...TEN);
  const memory = Buffer.from('first');
  answers.take(memory);
  memory.write('other');
  skip(1_000);
  expect(answered.at(-1)).toBe('first');
});

it('sends no more pongs after the socket has closed', () => {
  const { answers, answered, ping, skip } = createAnswers();
  ping(...TEN, 'waits', 'waits as well');
  answers.stop();
  skip(1_000);
  expect(answered).toHaveLength(10);
});
