import { expect, it } from 'vitest';
import { coversAge, readAge } from './age.ts';

it.each([
  ["he's 11", 11],
  ['my 82 yr old mum', 82],
  ['can my 14yo go alone', 14],
  ['is 12 metres too long', null],
  ['is 10:30 the next one', null],
  ['we are 14 people', null],
  ['my grandson is thirteen', 13],
  ['my wife and i are both over seventy-five', 75],
  ['our daughter (8)', 8],
  ['is five minutes enough', null],
  ['over thirty knots of wind', null],
])('reads the age in "%s"', (text, age) => {
  expect(readAge(text)).toBe(age);
});

it.each([
  ['Children under 12 must travel with someone', 11, true],
  ['Children under 12 must travel with someone', 12, false],
  ['under-fives travel free', 4, true],
  ['Those aged 12 to 15 may travel alone', 13, true],
  ['everyone aged 65 or over', 82, true],
  ['Over 65', 70, true],
  ['Over 65', 40, false],
  ['dogs over 30 kg', 40, false],
  ['From 16 everyone may travel alone', 15, false],
])('knows whether "%s" is about an age of %i', (text, age, covers) => {
  expect(coversAge(text, age)).toBe(covers);
});
