import { afterEach, expect, it, vi } from 'vitest';
import { createFakeChat } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import '../../../../test/widget/all-parts.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const texts = (selector: string) => view.all(selector).map((element) => element.textContent);
const field = () => view.find<HTMLTextAreaElement>('.field');
const write = (text: string) => {
  field().value = text;
  field().dispatchEvent(new Event('input', { bubbles: true }));
  view.button('Send message').click();
};

async function mountEnded(): Promise<void> {
  const chat = createFakeChat();
  chat.notes({ code: 'agent_joined', name: 'Ada' });
  chat.asks('Old question');
  chat.says('Old answer');
  chat.asks('Too late', { status: 'failed', reason: 'chat_ended', isRetryable: false });
  view = mountPanel({}, chat);
  view.panel.open(true);
  chat.session.value = { status: 'ended', by: 'agent' };
  await vi.waitFor(() => expect(field().placeholder).toBe('Write to start a new chat…'));
}

it('begins a new chat when the visitor writes after the end, and keeps the ended one above a divider', async () => {
  await mountEnded();
  write('One more thing');
  await vi.waitFor(() => expect(texts('.bubble')).toEqual(['Old question', 'One more thing']));
  expect(view.chat.commands).toEqual(['notifyTyping', 'newChat', 'send One more thing']);
  expect(field().value).toBe('');
  view.chat.notes({ code: 'agent_joined', name: 'Ada' });
  view.chat.says('New answer');
  await vi.waitFor(() => expect(texts('.rich')).toEqual(['Old answer', 'New answer']));
  await vi.waitFor(() => expect(texts('.chat-start')).toEqual(['New chat']));
  const rows = view.find('.content').textContent ?? '';
  expect(rows.indexOf('Old answer')).toBeLessThan(rows.indexOf('New chat'));
  expect(rows.indexOf('New chat')).toBeLessThan(rows.indexOf('One more thing'));
  expect(texts('.system')).toEqual([]);
});

it('sends all messages from before the new chat has begun, each once and in order', async () => {
  await mountEnded();
  view.panel.send('One');
  view.panel.send('Two');
  await vi.waitFor(() => expect(texts('.bubble')).toEqual(['Old question', 'One', 'Two']));
  expect(view.chat.commands).toEqual(['newChat', 'send One', 'send Two']);
});

it('shows an ended chat neither to the next visitor, nor above a chat that was begun by the button', async () => {
  await mountEnded();
  write('One more thing');
  await vi.waitFor(() => expect(texts('.bubble')).toContain('One more thing'));
  // A logout empties the transcript like this.
  view.chat.messages.value = [];
  await vi.waitFor(() => expect(texts('.bubble')).toEqual([]));
  view.destroy();
  await mountEnded();
  view.button('Start a new chat').click();
  await vi.waitFor(() => expect(texts('.bubble')).toEqual([]));
});
