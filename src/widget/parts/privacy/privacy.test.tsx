import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EraseOutcome } from '../../../client/index.ts';
import '../../../../test/widget/all-parts.ts';
import { createFakeChat, FAKE_SERVICES, type FakeChat } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

let view: MountedPanel;
let chat: FakeChat;
let outcome: EraseOutcome;

beforeEach(async () => {
  outcome = 'erased';
  localStorage.setItem('natter-proactive-dismissed', '["fares"]');
  sessionStorage.setItem('natter-proactive', 'shown');
  chat = createFakeChat();
  chat.services = async () => ({
    ...FAKE_SERVICES,
    readVisitorData: async () => ({
      platform: {
        status: 'read',
        data: {
          created_at: '2026-07-14T09:20:00Z',
          retention_days: { conversations: 30 },
          verified_context: { tier: 'gold' },
          // The agent's answer arrived in two chunks.
          events: [
            ...['m1', 'm2', 'm2', undefined].map((message_id) => ({ payload: { message_id } })),
            {
              type: 'EVENT_TYPE_USER_MESSAGE',
              metadata: {
                custom: { local_id: 'd1', page: 'https://example.com/fares', time_zone: 'Asia/Tokyo' },
              },
              payload: { message_id: 'm1', text: 'My ticket\nhttps://chat.example/files/1/ticket.pdf' },
            },
          ],
          contact_requests: [{ email: 'maren@example.com', text: 'Where is my bag?' }],
        },
      },
      browser: { hasTicket: true, undelivered: ['Hello?'], hasTranscript: false, hasUser: false, past: [] },
    }),
    eraseVisitorData: async () => outcome,
  });
  view = mountPanel({ features: ['privacy', 'files'] }, chat);
  view.panel.open(true);
  view.find('.menu-anchor button').click();
  await vi.waitFor(() => view.button('Your data'));
  view.button('Your data').click();
  await vi.waitFor(() => view.find('.privacy-lines'));
});
afterEach(() => {
  view.destroy();
  localStorage.clear();
  sessionStorage.clear();
});

const confirm = async (): Promise<void> => {
  view.button('Delete').click();
  await vi.waitFor(() => view.button('Delete everything'));
  view.button('Delete everything').click();
};
const lines = () => view.all('.privacy-lines > li').map(({ textContent }) => textContent);

it('shows instead of the conversation the data in this browser and on the platform', () => {
  expect(lines()).toEqual([
    'An encrypted key that keeps this chat going after a reload',
    'Messages that haven’t been delivered yet',
    'Which messages from this site you’ve seen or closed',
    'Messages: 2',
    'Files that you sent: 1',
    'Messages left for an answer by email: 1',
    expect.stringMatching(/^Started .*2026/),
    'What this site has shared with us about you: tier, current page, time zone',
    'Deleted automatically 30 days after the chat ends',
  ]);
  expect(view.root.activeElement?.textContent).toBe('Your data');
  expect(view.all('.composer')).toEqual([]);
});

it('returns from the data to the conversation with Escape or the button, and keeps the panel open', async () => {
  view.find('.privacy').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(view.root.activeElement?.className).toBe('field'));
  expect(view.panel.isOpen.value).toBe(true);
});

it('deletes the data on the platform first, then in all tabs, and offers a new chat', async () => {
  await confirm();
  await vi.waitFor(() =>
    expect(view.find('.privacy-done p').textContent).toBe(
      'Everything about this conversation has been deleted.',
    ),
  );
  expect(chat.commands).toContain('logout');
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
  expect(view.root.activeElement?.textContent).toBe('Start a new chat');
  view.button('Start a new chat').click();
  await vi.waitFor(() => view.find('.composer'));
  expect(chat.commands.at(-1)).toBe('start');
});

it('deletes no data while the platform does not answer, and says so', async () => {
  outcome = 'unreachable';
  await confirm();
  await vi.waitFor(() => expect(view.find('.privacy-state').textContent).toMatch(/^Nothing was deleted/));
  expect(chat.commands).not.toContain('logout');
});

it('keeps the focus on the button while data is deleted, and after a failure', async () => {
  outcome = 'unreachable';
  view.button('Delete').focus();
  view.button('Delete').click();
  await vi.waitFor(() => expect(view.root.activeElement?.textContent).toBe('Keep'));
  view.button('Delete everything').focus();
  view.button('Delete everything').click();
  await vi.waitFor(() => expect(view.find('.privacy-state').textContent).toMatch(/^Nothing was deleted/));
  expect(view.root.activeElement?.textContent).toBe('Delete');
});

it.each(['Keep', 'Escape'])(
  'closes the question about deletion with %s, and keeps showing the data',
  async (way) => {
    view.button('Delete').click();
    const keep = await vi.waitFor(() => view.button('Keep'));
    if (way === 'Keep') keep.click();
    else keep.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await vi.waitFor(() => expect(view.root.activeElement?.textContent).toBe('Delete'));
    expect(lines()).not.toEqual([]);
  },
);

it('says which data remains at a service that cannot delete', async () => {
  outcome = 'unavailable';
  await confirm();
  await vi.waitFor(() =>
    expect(view.find('.privacy-done p').textContent).toMatch(/^Deleted from this browser\./),
  );
  expect(chat.commands).toContain('logout');
});
