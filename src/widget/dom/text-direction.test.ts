import { expect, it } from 'vitest';
import { directionOf, directionOfLanguage } from './text-direction.ts';

it.each([
  ['he', 'rtl'],
  ['ar-EG', 'rtl'],
  ['fa', 'rtl'],
  ['ur-PK', 'rtl'],
  ['uz-Arab', 'rtl'],
  ['ur-Latn', 'ltr'],
  ['en', 'ltr'],
  ['arn', 'ltr'],
  ['ja-JP', 'ltr'],
] as const)('writes the language %s in the direction %s', (tag, direction) =>
  expect(directionOfLanguage(tag)).toBe(direction),
);

it.each([
  ['rtl', 'iPhone: הורידו', 'rtl'],
  ['rtl', 'iPhone, iPad: הורידו את Kittiwake Ferries App', 'rtl'],
  ['rtl', '9:15.', 'rtl'],
  ['rtl', '👋', 'rtl'],
  ['rtl', 'Where is the terminal?', 'ltr'],
  ['ltr', 'שלום is a Hebrew greeting', 'ltr'],
  ['ltr', 'הורידו את iPhone', 'rtl'],
  ['ltr', 'הורידו כאן: https://ferries.example/download/for/iphone', 'rtl'],
  ['ltr', 'iPhone: הורידו את האפליקציה', 'ltr'],
  ['ltr', '9:15', 'ltr'],
] as const)('in a conversation in the direction %s, "%s" has the direction %s', (language, text, direction) =>
  expect(directionOf(text, language)).toBe(direction),
);
