import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeChat, type FakeChat } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import type { WidgetOptions } from '../../options.ts';
import { loadTerms } from '../../panel/load-terms.ts';
import { createTerms, type Terms } from './create-terms.ts';

let count = 0;
let endpoint: string;
let views: MountedPanel[] = [];
let terms: Terms[] = [];
beforeEach(() => {
  count += 1;
  endpoint = `https://chat-${count}.example`;
});
afterEach(() => {
  for (const view of views) view.destroy();
  for (const { chat } of terms) chat.destroy();
  views = [];
  terms = [];
});

/** Opens one tab: a client that has started nothing, behind the terms, in an open panel. */
function openTab(given: Partial<WidgetOptions> = {}, chat: FakeChat = createFakeChat()) {
  const options = { endpoint, consent: true, ...given } as WidgetOptions;
  if (chat.session.peek().status === 'active') chat.session.value = { status: 'unknown' };
  const own = createTerms(chat, signal(options));
  const view = mountPanel(options, chat, own);
  views.push(view);
  terms.push(own);
  view.panel.open(true);
  void own.chat.start();
  return { chat, terms: own, view };
}

const CONSENT = 'I consent and start chat';
const shown = (view: MountedPanel) => ({
  isAsked: view.all('.gate .button.primary').length === 1,
  hasComposer: view.all('textarea').length === 1,
});
const asked = { isAsked: true, hasComposer: false };
const talking = { isAsked: false, hasComposer: true };
const soon = (check: () => void) => vi.waitFor(check);
/** Resolves when all messages between tabs and their responses were delivered, because channels keep their order. */
async function settle(): Promise<void> {
  const [here, there] = [new BroadcastChannel('barrier'), new BroadcastChannel('barrier')];
  for (let round = 0; round < 3; round += 1) {
    const heard = new Promise((resolve) => there.addEventListener('message', resolve, { once: true }));
    here.postMessage(round);
    await heard;
  }
  here.close();
  there.close();
}

describe('consent', () => {
  it('sends and stores nothing until the visitor agrees', async () => {
    const { chat, terms: own, view } = openTab();
    await soon(() => expect(shown(view)).toEqual(asked));
    void own.chat.newChat();
    await own.chat.endChat();
    await own.chat.logout();
    await settle();
    expect(chat.commands).toEqual([]);
    expect(view.find('.menu-anchor').offsetParent).toBeNull();
    view.button(CONSENT).click();
    await soon(() => expect(chat.commands).toContain('start'));
    await soon(() => expect(shown(view)).toEqual(talking));
    await soon(() => expect(view.root.activeElement).toBe(view.find('textarea')));
  });

  it('does not ask for consent if a conversation is stored', async () => {
    const chat = createFakeChat();
    const { view } = openTab({}, { ...chat, hasStoredConversation: async () => true });
    await soon(() => expect(chat.commands).toEqual(['start']));
    await soon(() => expect(shown(view)).toEqual(talking));
  });

  it('asks for consent again before the next conversation, and moves the focus', async () => {
    const { chat, view } = openTab();
    await soon(() => view.button(CONSENT).click());
    await soon(() => expect(shown(view)).toEqual(talking));
    chat.session.value = { status: 'ended', by: 'agent' };
    await soon(() => view.button('Start a new chat').click());
    await soon(() => expect(shown(view)).toEqual(asked));
    expect(view.root.activeElement).toBe(view.find('.gate-text'));
    expect(chat.commands).not.toContain('newChat');
    view.button(CONSENT).click();
    await soon(() => expect(chat.commands).toContain('newChat'));
    await soon(() => expect(shown(view)).toEqual(talking));
  });

  it('shares consent with every tab of the conversation, also one that opens later', async () => {
    const first = openTab();
    const second = openTab();
    await soon(() => expect(shown(second.view)).toEqual(asked));
    await soon(() => first.view.button(CONSENT).click());
    first.chat.session.value = { status: 'active' };
    await soon(() => expect(shown(second.view)).toEqual(talking));
    expect(second.chat.commands).toEqual(['start']);
    const third = openTab();
    await soon(() => expect(shown(third.view)).toEqual(talking));
    expect(third.chat.commands).toEqual(['start']);
  });

  it('does not share consent with a tab that opens after the conversation has ended', async () => {
    const first = openTab();
    await soon(() => first.view.button(CONSENT).click());
    first.chat.session.value = { status: 'ended', by: 'user' };
    const second = openTab();
    await soon(() => expect(shown(second.view)).toEqual(asked));
    await settle();
    expect(shown(second.view)).toEqual(asked);
    expect(second.chat.commands).toEqual([]);
  });

  it('withdraws consent in all tabs on logout', async () => {
    const first = openTab();
    const second = openTab();
    await soon(() => first.view.button(CONSENT).click());
    await soon(() => expect(shown(second.view)).toEqual(talking));
    await first.terms.chat.logout();
    expect(first.chat.commands).toContain('logout');
    await soon(() => expect(shown(first.view)).toEqual(asked));
    await soon(() => expect(shown(second.view)).toEqual(asked));
  });

  it('does not ask for consent on a site that does not want it', async () => {
    const { chat, view } = openTab({ consent: false, disclaimer: 'Small print.' });
    await soon(() => expect(chat.commands).toEqual(['start']));
    expect(shown(view)).toEqual(talking);
  });
});

describe('what a site has to say', () => {
  it('shows the site’s texts on the consent screen, with policy links that open in a new tab', async () => {
    const { view } = openTab({
      welcome: 'Ahoy!',
      disclaimer: 'Ada is a machine.',
      policyLinks: [{ label: 'Privacy', url: 'https://example.com/privacy' }],
    });
    await soon(() => expect(view.find('.gate').textContent).toContain('Ahoy!'));
    expect(view.find('.gate-disclaimer').textContent).toBe('Ada is a machine.');
    const link = view.find<HTMLAnchorElement>('.gate a.policy');
    expect([link.href, link.target, link.rel]).toEqual([
      'https://example.com/privacy',
      '_blank',
      'noopener noreferrer',
    ]);
  });

  it.each([
    ['below the composer when it is short', 'Ada is a machine.', '.footer .small-print'],
    ['before the first message when it is long', 'Ada is a machine. '.repeat(8), '.content > .small-print'],
  ])('shows the site’s disclaimer %s', (_, disclaimer, place) => {
    const { view } = openTab({ consent: false, disclaimer });
    expect(view.all('.small-print').map((print) => print.textContent)).toEqual([disclaimer.trim()]);
    expect(view.find(place)).toBe(view.find('.small-print'));
  });

  it('shows the site’s texts in the language of the panel', async () => {
    const chat = createFakeChat();
    const { view } = openTab(
      { consent: false, disclaimer: 'Usual.', localized: { de: { disclaimer: 'Deutsch.' } } },
      chat,
    );
    expect(view.find('.small-print').textContent).toBe('Usual.');
    chat.language.value = 'de';
    await soon(() => expect(view.find('.small-print').textContent).toBe('Deutsch.'));
  });

  it('logs a site text that is not shown as given', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const given = { endpoint, policyLinks: [{ label: 'x', url: 'http://example.com' }] };
    const own = createTerms(createFakeChat(), signal(given));
    terms.push(own);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('http://example.com'));
    expect(own.problems).toHaveLength(1);
    expect(own.textsIn('en').policyLinks).toEqual([]);
    warn.mockRestore();
  });
});

it.each([
  ['agentName', 50],
  ['title', 100],
  ['welcome', 100],
] as const)(
  'loads the terms for a %s of more than %i characters, to cut it, but not for a shorter one',
  async (name, max) => {
    const load = (length: number) =>
      loadTerms({ endpoint: 'https://chat.example', [name]: 'x'.repeat(length) });
    expect(await load(max)).toBeNull();
    expect(await load(max + 1)).not.toBeNull();
  },
);

it.each([{ title: 5 }, { agentName: {} }, { strings: { en: { send: 'Post' } } }])(
  'loads the terms for %j, to check it',
  async (given) => {
    const options = { endpoint: 'https://chat.example', ...given } as unknown as WidgetOptions;
    expect(await loadTerms(options)).not.toBeNull();
  },
);
