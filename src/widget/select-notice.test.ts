import { describe, expect, it } from 'vitest';
import { selectNoticeText, selectQueueText } from './select-notice.ts';
import { directionOf, fill, formatDuration, pickLocale } from './strings/catalogue.ts';
import { en } from './strings/en.ts';

const queue = { queueName: null, position: null, estimatedWaitSeconds: null, message: null };

describe('the queue line', () => {
  it('gives the position as a figure and the wait in words', () => {
    const text = selectQueueText({ ...queue, position: 3, estimatedWaitSeconds: 240 }, en, 'en');
    expect(text).toEqual({ position: 'Number 3 in line', wait: 'about 4 minutes' });
  });

  it('tells the first in line so, and a short wait without a number', () => {
    const text = selectQueueText({ ...queue, position: 1, estimatedWaitSeconds: 20 }, en, 'en');
    expect(text).toEqual({ position: 'You are next in line', wait: 'less than a minute' });
  });

  it('shows the words of the platform when it sends some', () => {
    const text = selectQueueText({ ...queue, position: 3, message: 'Almost there' }, en, 'en');
    expect(text).toEqual({ position: 'Almost there', wait: null });
  });
});

describe('a notice', () => {
  it('names the person who joined, or says that it is one', () => {
    const named = { code: 'live_agent_joined', name: 'Maren' } as const;
    expect(selectNoticeText(named, en, 'en', 'Ada')).toBe('Maren joined the chat');
    expect(selectNoticeText({ ...named, name: null }, en, 'en', 'Ada')).toBe('A person joined the chat');
  });

  it('says in words how long there is left to write', () => {
    const notice = { code: 'idle_warning', secondsRemaining: 45 } as const;
    expect(selectNoticeText(notice, en, 'en', 'Ada')).toContain('45 seconds');
  });
});

describe('texts', () => {
  it('leave a place visible that nothing was given for', () => {
    expect(fill('{name} has {count}', { name: 'Ada' })).toBe('Ada has {count}');
  });

  it('run right to left for Arabic, Hebrew and their kin, and only for them', () => {
    expect(['ar', 'ar-EG', 'he', 'fa-IR', 'ur'].map(directionOf)).toEqual(Array(5).fill('rtl'));
    expect(['en', 'de', 'arn', 'hen', 'zh-Hant'].map(directionOf)).toEqual(Array(5).fill('ltr'));
  });

  it('take times from the visitor’s own variant of the language', () => {
    expect(pickLocale('en', ['de-AT', 'en-GB'])).toBe('en-GB');
    expect(pickLocale('fr', ['de-AT', 'en-GB'])).toBe('fr');
  });

  it('write a span of time in the language of the chat', () => {
    expect(formatDuration(1, 'en')).toBe('1 second');
    expect(formatDuration(180, 'de')).toBe('3 Minuten');
  });
});
