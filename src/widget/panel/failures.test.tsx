import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';
import type { ConnectionStatus, FailureReason } from '../../client/index.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const CONTACT = 'https://ferries.example/contact';
const contacts = () => view.all('.panel a').filter((link) => link.getAttribute('href') === CONTACT);

/**
 * Every reason of failure, with the action that is offered. A record, so that the compiler reports a missing reason.
 */
const WAYS: Readonly<Record<FailureReason, readonly [button: string, command: string]>> = {
  reconnect_budget_spent: ['Try now', 'reconnect'],
  service_unavailable: ['Try now', 'reconnect'],
  connector_rejected: ['Try now', 'reconnect'],
  origin_not_allowed: ['Try now', 'reconnect'],
  host_not_registered: ['Try now', 'reconnect'],
  session_expired: ['Start a new chat', 'newChat'],
};

/** States in which the chat has not failed, but cannot help now. */
const HARD: Readonly<Record<string, ConnectionStatus>> = {
  'the third try to come back': {
    status: 'reconnecting',
    attempt: 3,
    nextAttemptAtMs: Date.now() + 60_000,
    offline: false,
  },
  turns: { status: 'open', isTurnBased: true },
};

describe('a chat that has given up', () => {
  it.each(Object.entries(WAYS))(
    'offers another try and the contact after the chat has failed: %s',
    async (reason, [button, command]) => {
      view = mountPanel({ contactUrl: CONTACT });
      view.panel.open(true);
      view.chat.connection.value = { status: 'failed', reason: reason as FailureReason };
      await vi.waitFor(() => view.button(button).click());
      expect(view.chat.commands).toContain(command);
      expect(contacts()).toHaveLength(1);
      // The draft is not lost.
      expect(view.find<HTMLTextAreaElement>('textarea').disabled).toBe(false);
    },
  );

  it('shows no contact link if the site has set none', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.connection.value = { status: 'failed', reason: 'service_unavailable' };
    await vi.waitFor(() => view.button('Try now'));
    expect(view.all('.banner a')).toEqual([]);
  });
});

describe('a chat that is no help for now', () => {
  it.each(Object.entries(HARD))('shows the contact while the chat cannot help: %s', async (_, connection) => {
    view = mountPanel({ contactUrl: CONTACT });
    view.panel.open(true);
    view.chat.connection.value = connection;
    await vi.waitFor(() => expect(contacts()).toHaveLength(1));
  });
});

describe('a chat that is over', () => {
  it.each([
    { status: 'expired' },
    { status: 'ended', by: 'inactivity' },
    { status: 'ended', by: 'platform' },
  ] as const)('offers a new chat after the end: %o', async (session) => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.session.value = session;
    await vi.waitFor(() => view.button('Start a new chat').click());
    expect(view.chat.commands).toContain('newChat');
  });

  it('offers a new chat before the part with the reason has loaded, also if it never loads', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.session.value = { status: 'expired' };
    // The fallback is drawn in the next microtask; a part takes longer.
    await Promise.resolve();
    await Promise.resolve();
    expect(view.all('.ended')).toEqual([]);
    const button = view.button('Start a new chat');
    const composerTop = view.find('.composer').getBoundingClientRect().top;
    expect(composerTop - button.getBoundingClientRect().bottom, 'space below the line').toBeGreaterThan(6);
    button.click();
    expect(view.chat.commands).toContain('newChat');
  });
});
