import { signal } from '@preact/signals-core';
import { describe, expect, it } from 'vitest';
import { createFakeChat } from '../../../../test/widget/fake-chat.ts';
import type { Strings } from '../../locales/catalogue.ts';
import { strings as de } from '../../locales/de.ts';
import { strings as en } from '../../locales/en.ts';
import { selectNoticeText, selectQueueText } from './select-notice.ts';

const panelIn = (language: string, strings: Strings): Parameters<typeof selectNoticeText>[1] => ({
  chat: createFakeChat(),
  strings: signal(strings),
  locale: signal(language),
  partTexts: (_, all) => all[language] ?? all.en,
  nameOf: () => 'Ada',
});
const english = panelIn('en', en);
const german = panelIn('de', de);

const queue = { queueName: null, position: null, estimatedWaitSeconds: null, message: null };

describe('the queue line', () => {
  it('shows the place in the queue as a number and the wait in words', () => {
    const text = selectQueueText({ ...queue, position: 3, estimatedWaitSeconds: 240 }, en, 'en');
    expect(text).toEqual({ position: 'You’re number 3 in the queue', wait: 'about 4 minutes' });
  });

  it('shows a long wait in hours', () => {
    const waits = [5_399, 5_400, 8_200].map(
      (estimatedWaitSeconds) =>
        selectQueueText({ ...queue, position: 3, estimatedWaitSeconds }, en, 'en').wait,
    );
    expect(waits).toEqual(['about 90 minutes', 'about 2 hours', 'about 2 hours']);
  });

  it('says that the visitor is next in the queue, and a short wait without a number', () => {
    const text = selectQueueText({ ...queue, position: 1, estimatedWaitSeconds: 20 }, en, 'en');
    expect(text).toEqual({ position: 'You’re next in the queue', wait: 'less than a minute' });
  });

  it('shows the platform’s own text about the queue', () => {
    const text = selectQueueText({ ...queue, position: 3, message: 'Almost there' }, en, 'en');
    expect(text).toEqual({ position: 'Almost there', wait: null });
  });
});

describe('a notice', () => {
  it('says that the desk is closed, and hides any other reason of the desk', () => {
    const failed = { code: 'handoff_failed' } as const;
    expect(selectNoticeText({ ...failed, reason: 'closed' }, english)).toBe('Nobody is free right now');
    expect(selectNoticeText({ ...failed, reason: 'fire alarm' }, english)).toBe(
      'We couldn’t connect you to our team',
    );
  });

  it('names the person who joined, or says that a person has joined', () => {
    const named = { code: 'live_agent_joined', name: 'Maren' } as const;
    expect(selectNoticeText(named, english)).toBe('Maren joined the chat');
    expect(selectNoticeText({ ...named, name: null }, english)).toBe('Someone from our team joined the chat');
  });

  it('says who transfers the visitor to whom', () => {
    const left = { code: 'live_agent_left', name: 'Grace' } as const;
    expect(selectNoticeText({ ...left, nextName: 'Sue' }, english)).toBe('Grace is passing you to Sue');
    expect(selectNoticeText({ ...left, nextName: 'Sue' }, german)).toBe('Grace leitet Sie an Sue weiter');
    expect(selectNoticeText(left, english)).toBe('Grace left the chat');
  });

  it('names a language in the reader’s language, and an unknown one by its tag', () => {
    const say = (language: string) => selectNoticeText({ code: 'language_changed', language }, german);
    expect(say('fr')).toBe('Der Chat geht auf Französisch weiter');
    expect(say('not a tag')).toContain('not a tag');
  });

  it('shows in words how much time is left to write', () => {
    const notice = { code: 'idle_warning', secondsRemaining: 45 } as const;
    expect(selectNoticeText(notice, english)).toContain('in 45 seconds');
  });
});
