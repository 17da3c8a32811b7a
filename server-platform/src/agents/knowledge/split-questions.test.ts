import { expect, it } from 'vitest';
import { splitQuestions } from './split-questions.ts';

it.each([
  ['can i bring my dog and how much is it', ['can i bring my dog', 'how much is it']],
  ['Is there wifi? Can I smoke?', ['Is there wifi?', 'Can I smoke?']],
  ['1. can i cancel 2. how long does a refund take', ['can i cancel', 'how long does a refund take']],
  ['- luggage\n- lockers\n- bus', ['luggage', 'lockers', 'bus']],
  ['do i need id, and what about my kids?', ['do i need id', 'what about my kids?']],
])('splits "%s"', (text, questions) => {
  expect(splitQuestions(text).questions).toEqual(questions);
});

it.each(['how much is a car and two adults', 'hello, can I bring my dog?', 'a dog and a cat', ''])(
  'leaves "%s" whole',
  (text) => {
    expect(splitQuestions(text).questions).toEqual([text]);
  },
);

it('keeps what is only told as context', () => {
  const { questions, context } = splitQuestions('We travel with a dog. Is it free? Is there a pet area?');
  expect(questions).toEqual(['Is it free?', 'Is there a pet area?']);
  expect(context).toBe('We travel with a dog.');
});
