import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  ChatServices,
  HelpArticle,
  PastConversation,
  WidgetContextProvider,
} from '../../../client/index.ts';
import type { WidgetOptions } from '../../options.ts';
import '../../../../test/widget/all-parts.ts';
import { ADA, createFakeChat, FAKE_SERVICES, type FakeChat } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

const PETS = {
  title: 'Travelling with pets',
  url: 'https://example.com/help/pets',
  excerpt: 'Dogs are free.',
};

const REFUNDS = { title: 'Refunds', url: 'https://example.com/help/refunds', excerpt: '', id: 'refunds' };

const past = (sessionId: string, title: string): PastConversation => ({
  sessionId,
  owner: '',
  title,
  startedAtMs: 0,
  lastAtMs: 0,
  items: [
    { kind: 'user', key: 'a', text: title, atMs: 0, delivery: { status: 'sent' }, localId: null },
    {
      kind: 'agent',
      key: 'b',
      messageId: 'm',
      speaker: ADA,
      text: 'At **nine**.',
      isStreaming: false,
      atMs: 0,
      attachments: [],
      callActions: [],
    },
  ],
});

let view: MountedPanel;
let chat: FakeChat;
let kept: readonly PastConversation[];
let searched: string[];
let popular: readonly HelpArticle[];
let keeps: number;
let continued: string;
beforeEach(() => {
  kept = [past('one', 'When does it leave?')];
  searched = [];
  popular = [];
  keeps = 0;
  continued = '';
  chat = createFakeChat();
  const services: ChatServices = {
    ...FAKE_SERVICES,
    readSearchLimits: async () => ({ maxQueryCharacters: 200 }),
    async searchHelp({ query }) {
      searched.push(query);
      return query === 'broken' ? null : query === 'dog' ? [PETS] : query === '' ? popular : [];
    },
    readArticle: async ({ id }) =>
      id === 'refunds' ? { ...REFUNDS, title: 'Refunds', text: 'Within **five** days.' } : null,
    past: {
      list: async () => kept,
      keep: async () => {
        keeps += 1;
      },
      forget: async () => {
        kept = [];
      },
      noteContinued: async (sessionId) => {
        continued = sessionId;
      },
      readContinued: async () => kept.find(({ sessionId }) => sessionId === continued) ?? null,
    },
  };
  chat.services = async () => services;
});
afterEach(() => {
  vi.useRealTimers();
  view.destroy();
});

async function open(options: Partial<WidgetOptions> = {}): Promise<void> {
  view = mountPanel({ features: 'home history', ...options }, chat);
  view.panel.open(true);
  await vi.waitFor(() => view.find('.home-title'));
}
function type(words: string): HTMLInputElement {
  const field = view.find<HTMLInputElement>('.help-field > input');
  field.value = words;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return field;
}
const press = (key: string, target: HTMLElement): void =>
  void target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

describe('the home screen', () => {
  it('greets on the home screen instead of the conversation, which begins with the button', async () => {
    await open({ welcome: 'Ahoy!' });
    expect(view.find('.home-title').textContent).toBe('Ahoy!');
    expect([view.all('.composer').length, view.panel.isChatShown.value]).toEqual([0, false]);
    view.button('Send us a message').click();
    await vi.waitFor(() => expect(view.root.activeElement?.className).toBe('field'));
    expect(view.panel.isChatShown.value).toBe(true);
    view.button('Home').click();
    await vi.waitFor(() => view.button('Send us a message'));
  });

  it('lists a conversation that has just ended on the home screen, and shows its survey', async () => {
    kept = [past(chat.currentSession().sessionId ?? '', 'When does it leave?')];
    await open();
    expect(view.all('.past')).toHaveLength(0);
    view.button('Send us a message').click();
    await vi.waitFor(() => view.find('.composer'));
    chat.session.value = { status: 'ended', by: 'user' };
    chat.survey.value = {
      ...{ id: 's', title: 'Rate your chat', question: 'How was it?', scale: 'faces' },
      ...{ canComment: false, status: 'open' },
    };
    view.button('Home').click();
    await vi.waitFor(() => expect(view.find('.past').textContent).toContain('When does it leave?'));
    await vi.waitFor(() => expect(view.find('.home .survey').textContent).toContain('Rate your chat'));
  });

  it('has no home screen unless the site has enabled it', async () => {
    view = mountPanel({ features: 'history' }, chat);
    view.panel.open(true);
    await vi.waitFor(() => view.find('.composer'));
    expect(view.panel.isChatShown.value).toBe(true);
  });

  it('skips the home screen if a conversation is running, or the composer has a draft', async () => {
    for (const begin of [() => chat.asks('Hello'), () => chat.setUnsent('Hel')]) {
      begin();
      view = mountPanel({ features: 'home' }, chat);
      view.panel.open(true);
      await vi.waitFor(() => view.find('.composer'));
      view.destroy();
      chat.messages.value = [];
    }
    chat.setUnsent('');
    chat.hasStoredConversation = async () => true;
    chat.connection.value = { status: 'idle' };
    view = mountPanel({ features: 'home' }, chat);
    view.panel.open(true);
    await vi.waitFor(() => view.find('.composer'));
  });

  it('leaves the home screen when the page sends a message for the visitor, or prefills the composer', async () => {
    await open();
    chat.setUnsent('I need a cabin');
    await vi.waitFor(() => view.find('.composer'));
    view.panel.close(false);
    chat.setUnsent('');
    view.panel.open(false);
    await vi.waitFor(() => view.find('.home-title'));
    chat.asks('Sent by the page');
    await vi.waitFor(() => view.find('.composer'));
  });

  it('leaves answers unread until the conversation is in view', async () => {
    await open();
    chat.asks('Hello');
    await vi.waitFor(() => view.find('.composer'));
    view.button('Home').click();
    await vi.waitFor(() => view.find('.home-write'));
    chat.unread.value = 2;
    await vi.waitFor(() => expect(view.find('.home-write').textContent).toBe('Continue conversation2'));
    expect(chat.unread.value).toBe(2);
    view.find('.home-write').click();
    await vi.waitFor(() => expect(chat.unread.value).toBe(0));
  });

  it('shows on the home screen until when the team is available', async () => {
    await open({ hours: 'Mo-Sa 00:00-24:00; Su 00:00-23:59', hoursTimeZone: 'UTC' });
    await vi.waitFor(() =>
      expect(view.find('.opening.present').textContent).toMatch(/^Our team is available until/),
    );
  });

  it('shows on the home screen that the team is available day and night', async () => {
    await open({ hours: '24/7' });
    await vi.waitFor(() =>
      expect(view.find('.opening.present').textContent).toBe('Our team is available day and night.'),
    );
  });
});

describe('the help search', () => {
  it('finds articles as the visitor types, but not for one letter', async () => {
    await open();
    type('d');
    type('do');
    type('dog');
    await vi.waitFor(() => view.find('.help-results a'));
    expect(searched).toEqual(['', 'dog']);
    const link = view.find<HTMLAnchorElement>('.help-results a');
    expect([link.href, link.target]).toEqual([PETS.url, '_blank']);
    expect(view.find('[role=status].sr').textContent).toBe('Articles found: 1');
  });

  it('copies the search text to the composer if nothing is found, or the search fails', async () => {
    await open();
    type('broken');
    await vi.waitFor(() => expect(view.find('.help-status').textContent).toMatch(/isn’t available/));
    type('xylophone');
    await vi.waitFor(() => expect(view.find('.help-status').textContent).toBe('No articles found.'));
    view.button('Ask us instead').click();
    await vi.waitFor(() => expect(view.find<HTMLTextAreaElement>('.field').value).toBe('xylophone'));
  });

  it('empties the help search with Escape, which closes the panel next', async () => {
    await open();
    const field = type('dog');
    await vi.waitFor(() => view.find('.help-results'));
    press('Escape', field);
    await vi.waitFor(() => expect([field.value, view.all('.help-results').length]).toEqual(['', 0]));
    press('Escape', field);
    expect(view.panel.isOpen.value).toBe(false);
  });

  it('has no help search without a hook, nor before the visitor has agreed to a chat', async () => {
    const { makeTerms } = { makeTerms: (await import('../terms/index.ts')).createTerms };
    const terms = makeTerms(
      chat,
      signal({ endpoint: 'https://chat.example', consent: true, features: 'home' } as WidgetOptions),
    );
    view = mountPanel({ features: 'home', consent: true }, chat, terms);
    view.panel.open(true);
    await vi.waitFor(() => view.find('.home-title'));
    expect(view.all('.help')).toEqual([]);
    view.button('Send us a message').click();
    await vi.waitFor(() => view.button('I consent and start chat'));
    expect(chat.commands).toEqual([]);
    terms.chat.destroy();
  });
});

describe('articles', () => {
  it('that are read most are shown until the visitor types, and open as pages where there is no text', async () => {
    popular = [PETS, REFUNDS];
    await open();
    const listed = () => view.all('.help-results strong').map(({ textContent }) => textContent);
    await vi.waitFor(() => expect(listed()).toEqual(['Travelling with pets', 'Refunds']));
    expect(view.find('#popular-title').textContent).toBe('Popular articles');
    expect(view.find<HTMLAnchorElement>('.help-results a').href).toBe(PETS.url);
    type('dog');
    await vi.waitFor(() => expect(listed()).toEqual(['Travelling with pets']));
    expect(view.all('#popular-title')).toEqual([]);
  });

  it('are read in the panel, with a link to their page, and Escape leads back to where it was opened', async () => {
    popular = [REFUNDS];
    await open();
    await vi.waitFor(() => view.find('.help-results button'));
    view.find('.help-results button').click();
    await vi.waitFor(() => expect(view.find('.past-body strong').textContent).toBe('five'));
    expect(view.root.activeElement?.textContent).toBe('Refunds');
    expect(view.find<HTMLAnchorElement>('.past-head a').href).toBe(REFUNDS.url);
    press('Escape', view.find('.past-head h3'));
    await vi.waitFor(() => expect(view.root.activeElement).toBe(view.find('.help-results button')));
    expect(view.panel.isOpen.value).toBe(true);
  });

  it('that cannot be read here keep their link', async () => {
    popular = [{ ...REFUNDS, id: 'gone' }];
    await open();
    await vi.waitFor(() => view.find('.help-results button'));
    view.find('.help-results button').click();
    await vi.waitFor(() =>
      expect(view.find('.past-body [role=status]').textContent).toBe(
        'This article can’t be shown here right now.',
      ),
    );
    expect(view.find<HTMLAnchorElement>('.past-head a').href).toBe(REFUNDS.url);
  });
});

describe('earlier conversations', () => {
  it('shows an earlier conversation without ratings, with a way back to the list', async () => {
    chat.canGiveFeedback.value = true;
    await open({ features: 'home history feedback' });
    await vi.waitFor(() => view.find('.past button'));
    view.find('.past button').click();
    await vi.waitFor(() => expect(view.root.activeElement?.textContent).toBe('When does it leave?'));
    await vi.waitFor(() => expect(view.find('.past-body strong').textContent).toBe('nine'));
    expect(view.all('.past-body .feedback, .past-body [data-rating]')).toEqual([]);
    press('Escape', view.find('.past-head h3'));
    await vi.waitFor(() => expect(view.root.activeElement).toBe(view.find('.past button')));
    view.find('.past button').click();
    await vi.waitFor(() => view.button('New message'));
    view.button('New message').click();
    await vi.waitFor(() => view.find('.composer'));
  });

  it('are continued where the site allows it: the end above a line, known to the agent, and nothing of it to rate', async () => {
    const options = { features: 'home history continue feedback' } as const;
    const page: WidgetContextProvider = {};
    const { createTerms } = await import('../terms/index.ts');
    const terms = createTerms(chat, signal({ endpoint: 'https://chat.example', ...options }), page);
    chat.canGiveFeedback.value = true;
    view = mountPanel(options, chat, terms);
    view.panel.open(true);
    await vi.waitFor(() => view.find('.past button'));
    view.find('.past button').click();
    await vi.waitFor(() => view.button('Continue this conversation'));
    expect(view.find('.past-note').textContent).toContain('we can see how this one ended');
    view.button('Continue this conversation').click();
    await vi.waitFor(() => view.find('.composer'));
    expect(chat.commands).toContain('start');
    chat.says('Welcome back.');
    await vi.waitFor(() => expect(view.find('.chat-start').textContent).toBe('New chat'));
    const shown = view.all('.group, .chat-start').map(({ textContent }) => textContent);
    expect(shown.join(' ')).toMatch(/When does it leave\?.*nine.*New chat.*Welcome back/);
    chat.asks('And back?');
    chat.says('At ten.');
    await vi.waitFor(() => expect(view.all('.feedback')).toHaveLength(1));
    expect(page.pageContext?.()).toEqual({
      earlier_conversation: 'Visitor: When does it leave?\nAgent: At **nine**.',
    });
    terms.chat.destroy();
  });

  it('stay above the conversation that continues them after a reload', async () => {
    await open({ features: 'home history continue' });
    await vi.waitFor(() => view.find('.past button'));
    view.find('.past button').click();
    await vi.waitFor(() => view.button('Continue this conversation'));
    view.button('Continue this conversation').click();
    await vi.waitFor(() => view.find('.composer'));
    expect(continued).toBe('');
    chat.asks('And back?');
    await vi.waitFor(() => expect(continued).toBe('one'));
    view.destroy();
    view = mountPanel({ features: 'home history continue' }, chat);
    view.panel.open(true);
    await vi.waitFor(() => expect(view.all('.chat-start')).toHaveLength(1));
    const shown = view.all('.group, .chat-start').map(({ textContent }) => textContent);
    expect(shown.join(' ')).toMatch(/When does it leave\?.*nine.*New chat.*And back/);
  });

  it('are not continued beside a conversation in which the visitor has written', async () => {
    await open({ features: 'home history continue' });
    chat.asks('Hello');
    await vi.waitFor(() => view.button('Home'));
    view.button('Home').click();
    await vi.waitFor(() => view.find('.past button'));
    view.find('.past button').click();
    await vi.waitFor(() => view.button('New message'));
    expect(view.all('.past-screen .home-write')).toHaveLength(1);
  });

  it('removes earlier conversations from this browser', async () => {
    await open();
    await vi.waitFor(() => view.button('Remove from this browser'));
    view.button('Remove from this browser').click();
    await vi.waitFor(() => expect(view.all('.past')).toEqual([]));
  });

  it('neither lists nor keeps earlier conversations while the site has disabled them', async () => {
    await open({ features: 'home' });
    expect(view.all('.past')).toEqual([]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    chat.asks('Hello');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(keeps).toBe(0);
  });

  it('keeps a copy after the conversation has changed', async () => {
    await open();
    const answer = chat.says('Hel', { isStreaming: true });
    await vi.waitFor(() => expect(keeps).toBe(1), 2_000);
    answer.value = { ...answer.peek(), text: 'Hello' } as typeof answer.value;
    await vi.waitFor(() => expect(keeps).toBe(2), 2_000);
  });
});
