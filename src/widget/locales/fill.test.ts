import { describe, expect, it } from 'vitest';
import { formatDuration } from '../parts/notices/select-notice.ts';
import { strings as ar } from './ar.ts';
import { strings as en } from './en.ts';
import { fill, fillCount, formatDelay, isRightToLeft } from './fill.ts';

import { strings as he } from './he.ts';
import { strings as pl } from './pl.ts';

describe('a text with places', () => {
  it('leaves a placeholder without a value in the text', () => {
    expect(fill('{name} has {count}', { name: 'Ada' })).toBe('Ada has {count}');
  });

  it('isolates names and numbers in a right-to-left text', () => {
    expect(fill(he.personJoined, { name: 'Maren (Desk)' })).toContain('\u2068Maren (Desk)\u2069');
    expect(fill(ar.call, { number: '+45 55 50' })).toContain('\u2068+45 55 50\u2069');
    expect(fillCount(he.newMessages, 12, 'he')).toContain('\u206812\u2069');
  });

  it('isolates a right-to-left name in a left-to-right text, and adds nothing elsewhere', () => {
    expect(fill(en.personJoined, { name: 'آدا' })).toBe('\u2068آدا\u2069 joined the chat');
    expect(fill(en.personJoined, { name: 'Ada' })).toBe('Ada joined the chat');
  });
});

describe('a text that counts', () => {
  it('selects the plural form of a number', () => {
    const polish = (count: number) => fillCount(pl.newMessages, count, 'pl');
    expect([1, 3, 5, 22].map(polish)).toEqual([
      '1 nowa wiadomość',
      '3 nowe wiadomości',
      '5 nowych wiadomości',
      '22 nowe wiadomości',
    ]);
    const arabic = new Set([1, 2, 3, 11].map((count) => fillCount(ar.newMessages, count, 'ar')));
    expect(arabic.size, 'one, two, few and many differ').toBe(4);
    expect([1, 2].map((count) => fillCount(en.newMessages, count, 'en'))).toEqual([
      '1 new message',
      '2 new messages',
    ]);
  });

  it('formats a number by its locale', () => {
    expect(fillCount(en.newMessages, 1_234, 'en-GB')).toBe('1,234 new messages');
    expect(fillCount(ar.newMessages, 3, 'ar-EG')).toContain('٣');
  });
});

describe('a span of time', () => {
  it('rounds a duration to seconds below a minute and to minutes above', () => {
    expect(formatDuration(1, 'en')).toBe('1 second');
    expect(formatDuration(0, 'en')).toBe('1 second');
    expect(formatDuration(180, 'de')).toBe('3 Minuten');
  });

  it('formats a delay in the grammatical case of its language', () => {
    expect(formatDelay(40, 'en')).toBe('in 40 seconds');
    expect(formatDelay(60, 'pl')).toBe('za 1 minutę');
  });
});

describe('the direction of a text', () => {
  it('recognises Arabic, Hebrew and related scripts as right-to-left, and no others', () => {
    expect(['أرسل', 'שלח', 'ارسال', 'Ada: שלום'].map(isRightToLeft)).toEqual(Array(4).fill(true));
    expect(['Send', 'Отправить', '送信', 'ส่ง', '123…'].map(isRightToLeft)).toEqual(Array(5).fill(false));
  });
});
