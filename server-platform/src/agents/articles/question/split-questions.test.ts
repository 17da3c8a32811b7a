import { expect, it } from 'vitest';
import { splitQuestions } from './split-questions.ts';

it.each([
  ['can i bring my dog and how much is it', ['can i bring my dog', 'how much is it']],
  ['Is there wifi? Can I smoke?', ['Is there wifi?', 'Can I smoke?']],
  ['1. can i cancel 2. how long does a refund take', ['can i cancel', 'how long does a refund take']],
  ['- luggage\n- lockers\n- bus', ['luggage', 'lockers', 'bus']],
  ['do i need id, and what about my kids?', ['do i need id', 'what about my kids?']],
  ['is there a lift? Also, do you have cots?', ['is there a lift?', 'Also do you have cots?']],
  [
    'I want to know the height limit, the price to Tarrow and whether gas is allowed',
    ['the height limit', 'the price to Tarrow', 'gas is allowed'],
  ],
  [
    'Do you have wifi, food and a bar on board?',
    ['Do you have wifi?', 'Do you have food?', 'Do you have a bar?'],
  ],
  [
    'Is it true? Do you have a sauna? How much is it?',
    ['Is it true? Do you have a sauna?', 'How much is it?'],
  ],
  ['do you know, are dogs allowed, and is it free', ['do you know are dogs allowed', 'is it free']],
  ['two questions: is it free and are dogs allowed', ['is it free', 'are dogs allowed']],
])('splits "%s"', (text, questions) => {
  expect(splitQuestions(text).questions).toEqual(questions);
});

it.each([
  'how much is a car and two adults',
  'hello, can I bring my dog?',
  'a dog and a cat',
  '',
  'next Friday, when can I go?',
  'I heard that you buy bikes. Is it true?',
  'Is it true, do you buy bikes?',
  'My mother uses a wheelchair. Who helps her?',
  'We are both retired and would like to go. What does it cost?',
])('leaves "%s" whole', (text) => {
  expect(splitQuestions(text).questions).toEqual([text]);
});

it('leaves out the salutation of a letter, and keeps its statements whole', () => {
  const letter = `Dear Sir or Madam,
we live nearby and are wondering about a regular evening. Which evening is free?`;
  expect(splitQuestions(letter)).toEqual({
    questions: ['we live nearby and are wondering about a regular evening.', 'Which evening is free?'],
    context: '',
  });
});

it('leaves out the end of a letter', () => {
  const { questions } = splitQuestions('Is it free? Are dogs allowed? With kind regards, Arthur');
  expect(questions).toEqual(['Is it free?', 'Are dogs allowed?']);
});

it('keeps statements as context of the questions', () => {
  const { questions, context } = splitQuestions('We travel with a dog. Is it free? Is there a pet area?');
  expect(questions).toEqual(['Is it free?', 'Is there a pet area?']);
  expect(context).toBe('We travel with a dog.');
});
