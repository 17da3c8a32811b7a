import { signal } from '@preact/signals-core';
import { describe, expect, it } from 'vitest';
import type { Strings } from '../../locales/catalogue.ts';
import { strings as de } from '../../locales/de.ts';
import { strings as en } from '../../locales/en.ts';
import { selectNoticeText, selectQueueText } from './select-notice.ts';

const panelIn = (language: string, strings: Strings): Parameters<typeof selectNoticeText>[1] => ({
  strings: signal(strings),
  locale: signal(language),
  partTexts: (_, all) => all[language] ?? all.en,
  nameOf: () => 'Ada',
});
const english = panelIn('en', en);
const german = panelIn('de', de);

const queue = { queueName: null, position: null, estimatedWaitSeconds: null, message: null };

describe('the queue line', () => {
  it('gives the position as a figure and the wait in words', () => {
    const text = selectQueueText({ ...queue, position: 3, estimatedWaitSeconds: 240 }, en, 'en');
    expect(text).toEqual({ position: 'You’re number 3 in the queue', wait: 'about 4 minutes' });
  });

  it('says a long wait in hours', () => {
    const waits = [5_399, 5_400, 8_200].map(
      (estimatedWaitSeconds) =>
        selectQueueText({ ...queue, position: 3, estimatedWaitSeconds }, en, 'en').wait,
    );
    expect(waits).toEqual(['about 90 minutes', 'about 2 hours', 'about 2 hours']);
  });

  it('tells the first in line so, and a short wait without a number', () => {
    const text = selectQueueText({ ...queue, position: 1, estimatedWaitSeconds: 20 }, en, 'en');
    expect(text).toEqual({ position: 'You’re next in the queue', wait: 'less than a minute' });
  });

  it('shows the words of the platform when it sends some', () => {
    const text = selectQueueText({ ...queue, position: 3, message: 'Almost there' }, en, 'en');
    expect(text).toEqual({ position: 'Almost there', wait: null });
  });
});

describe('a notice', () => {
  it('says that nobody is there where the desk is closed, and repeats no other reason of a desk', () => {
    const failed = { code: 'handoff_failed' } as const;
    expect(selectNoticeText({ ...failed, reason: 'closed' }, english)).toBe('Nobody is free right now');
    expect(selectNoticeText({ ...failed, reason: 'fire alarm' }, english)).toBe(
      'We couldn’t connect you to our team',
    );
  });

  it('names the person who joined, or says that it is one', () => {
    const named = { code: 'live_agent_joined', name: 'Maren' } as const;
    expect(selectNoticeText(named, english)).toBe('Maren joined the chat');
    expect(selectNoticeText({ ...named, name: null }, english)).toBe('Someone from our team joined the chat');
  });

  it('says who passes the visitor to whom', () => {
    const left = { code: 'live_agent_left', name: 'Grace' } as const;
    expect(selectNoticeText({ ...left, nextName: 'Sue' }, english)).toBe('Grace is passing you to Sue');
    expect(selectNoticeText({ ...left, nextName: 'Sue' }, german)).toBe('Grace leitet Sie an Sue weiter');
    expect(selectNoticeText(left, english)).toBe('Grace left the chat');
  });

  it('names the language in the words of the reader, and one it does not know by its tag', () => {
    const say = (language: string) => selectNoticeText({ code: 'language_changed', language }, german);
    expect(say('fr')).toBe('Der Chat geht auf Französisch weiter');
    expect(say('not a tag')).toContain('not a tag');
  });

  it('says in words how long there is left to write', () => {
    const notice = { code: 'idle_warning', secondsRemaining: 45 } as const;
    expect(selectNoticeText(notice, english)).toContain('in 45 seconds');
  });
});
