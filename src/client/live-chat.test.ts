import { afterEach, describe, expect, it } from 'vitest';
import { type ChatHarness, createHarness, until } from '../../test/chat-harness.ts';

const open: ChatHarness[] = [];
const harness = (...parameters: Parameters<typeof createHarness>): ChatHarness => {
  const made = createHarness(...parameters);
  open.push(made);
  return made;
};
afterEach(() => {
  for (const { chat } of open.splice(0)) chat.destroy();
});

const isOpen = ({ chat }: ChatHarness) => chat.connection.value.status === 'open';

describe('a conversation', () => {
  it('starts, is greeted, asks and is answered', async () => {
    const it = harness({ onUserMessage: (session, text) => session.say(`You said ${text}`) });
    await it.chat.start();
    await until(() => it.lines().length === 2);
    expect(it.chat.speaker.value).toMatchObject({ kind: 'agent', name: 'Ada' });
    expect(it.chat.send('  hi  ')).toMatchObject({ status: 'accepted' });
    expect(it.lines().at(-1)).toBe('user: hi (pending)');
    await until(() => it.lines().length === 4);
    expect(it.lines()).toEqual(['* agent_joined', 'agent: Hello', 'user: hi', 'agent: You said hi']);
    expect(it.chat.unread.value).toBe(2);
    expect(isOpen(it)).toBe(true);
  });

  it('sends once what was written before the socket opened', async () => {
    const it = harness();
    it.chat.send('early');
    expect(it.lines()).toEqual(['user: early (queued)']);
    await it.chat.start();
    await until(() => it.lines().at(-1) === 'user: early');
    expect(it.platform.session.userTexts).toEqual(['early']);
  });
});
