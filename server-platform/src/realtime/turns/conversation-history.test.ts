import type { OutgoingEvent } from 'natter/protocol';
import { describe, expect, it } from 'vitest';
import { ConversationHistory } from './conversation-history.ts';

let sequence = 0;
function event(type: string, payload: Record<string, unknown>): OutgoingEvent {
  sequence += 1;
  return {
    id: String(sequence),
    sequence,
    timestampMs: 0,
    type: type as OutgoingEvent['type'],
    payload,
    custom: null,
  };
}
const user = (text: string): OutgoingEvent => event('EVENT_TYPE_USER_MESSAGE', { text });
const chunk = (id: string, text: string, isComplete = false): OutgoingEvent =>
  event('EVENT_TYPE_AGENT_MESSAGE_CHUNK', { message_id: id, text, is_complete: isComplete });

describe('the history that an agent is given', () => {
  it('joins the chunks of an answer, even around a message sent meanwhile', () => {
    const history = new ConversationHistory(16_384);
    const question = user('first');
    for (const each of [
      question,
      chunk('a', 'one '),
      user('second'),
      chunk('a', 'two'),
      chunk('a', '', true),
    ]) {
      history.apply(each);
    }
    const later = user('third');
    history.apply(later);
    expect(history.entriesBefore(later.sequence ?? 0)).toEqual([
      { author: 'user', text: 'first' },
      { author: 'agent', text: 'one two' },
      { author: 'user', text: 'second' },
    ]);
  });

  it('omits messages that await their own turn, and events without text', () => {
    const history = new ConversationHistory(16_384);
    const now = user('now');
    const events = [
      event('EVENT_TYPE_AGENT_JOINED', { agent_name: 'Ada' }),
      event('EVENT_TYPE_AGENT_MESSAGE', { text: 'Hello!' }),
      event('EVENT_TYPE_AGENT_MESSAGE', { text: '', attachments: [{}] }),
      event('EVENT_TYPE_LIVE_AGENT_MESSAGE', { text: 'Grace here' }),
      now,
      user('later'),
    ];
    for (const each of events) history.apply(each);
    expect(history.entriesBefore(now.sequence ?? 0)).toEqual([
      { author: 'agent', text: 'Hello!' },
      { author: 'live_agent', text: 'Grace here' },
    ]);
  });

  it('does not change entries that an agent holds when an answer grows', () => {
    const history = new ConversationHistory(16_384);
    history.apply(user('first'));
    history.apply(chunk('b', 'one '));
    const given = history.entriesBefore(Number.POSITIVE_INFINITY);
    history.apply(chunk('b', 'two', true));
    history.apply(user('second'));
    expect(given).toEqual([
      { author: 'user', text: 'first' },
      { author: 'agent', text: 'one ' },
    ]);
    expect(history.entriesBefore(Number.POSITIVE_INFINITY)[1]).toEqual({ author: 'agent', text: 'one two' });
  });

  it('includes an answer with an empty first chunk once it has text', () => {
    const history = new ConversationHistory(16_384);
    history.apply(chunk('c', ''));
    expect(history.entriesBefore(Number.POSITIVE_INFINITY)).toEqual([]);
    history.apply(chunk('c', 'Hello!'));
    expect(history.entriesBefore(Number.POSITIVE_INFINITY)).toEqual([{ author: 'agent', text: 'Hello!' }]);
  });

  it('keeps the most recent entries within its byte limit', () => {
    const history = new ConversationHistory(2_000);
    for (let number = 1; number <= 500; number += 1) history.apply(user(`message ${number}`));
    const texts = history.entriesBefore(Number.POSITIVE_INFINITY).map(({ text }) => text);
    expect(texts.at(-1)).toBe('message 500');
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.length).toBeLessThan(30);
    expect(history.hasUserMessage).toBe(true);
  });

  it('cuts an entry at half of the byte limit and marks it as cut', () => {
    const history = new ConversationHistory(2_000);
    history.apply(user('x'.repeat(100_000)));
    expect(history.entriesBefore(Number.POSITIVE_INFINITY)).toEqual([
      { author: 'user', text: `${'x'.repeat(1_000)} [cut]` },
    ]);
    for (let number = 0; number < 100; number += 1) history.apply(chunk('d', 'ж'.repeat(100)));
    history.apply(chunk('d', '', true));
    expect(history.entriesBefore(Number.POSITIVE_INFINITY)).toEqual([
      { author: 'agent', text: `${'ж'.repeat(500)} [cut]` },
    ]);
  });

  it('ignores further chunks of an answer that was dropped', () => {
    const history = new ConversationHistory(2_000);
    history.apply(chunk('e', 'one '));
    for (let number = 1; number <= 100; number += 1) history.apply(user(`message ${number}`));
    history.apply(chunk('e', 'two'));
    const texts = history.entriesBefore(Number.POSITIVE_INFINITY).map(({ text }) => text);
    expect(texts).not.toContain('one two');
  });
});
