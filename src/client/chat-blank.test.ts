import { afterEach, expect, it } from 'vitest';
import { trackHarnesses, until } from '../../test/chat-harness.ts';

const { greeted } = trackHarnesses(afterEach);

it.each(['\u200b', '\u2800', ' \u2060\n\u3164'])(
  'sends no message without visible characters: %j',
  async (text) => {
    const { chat, platform } = await greeted();
    expect(chat.send(text)).toEqual({ status: 'refused', reason: 'blank' });
    expect(platform.session.userTexts).toEqual([]);
  },
);

it('neither shows nor counts an answer without visible content, but offers its suggestions', async () => {
  const { chat, platform, lines } = await greeted();
  chat.markRead();
  const suggestions = { response_suggestions: [{ message_text: 'Timetable', payload: null }] };
  platform.session.say(' \u200b ', suggestions);
  await until(() => chat.suggestions.value.length === 1);
  expect([lines().at(-1), chat.unread.value]).toEqual(['agent: Hello', 0]);
  platform.session.say('\u2800', { chat_call_actions: [{ title: 'Call us', contact_number: '+49 1' }] });
  await until(() => chat.unread.value === 1);
  platform.session.say('Seen');
  await until(() => lines().at(-1) === 'agent: Seen');
});
