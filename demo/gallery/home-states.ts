import type { FakeChat } from '../../test/widget/fake-chat.ts';
import { ADA, FAKE_SERVICES } from '../../test/widget/fake-chat.ts';
import { type GalleryState, press } from './gallery-state.ts';

const ARTICLES = [
  {
    title: 'Travelling with pets',
    url: 'https://example.com/help/pets',
    excerpt:
      'Dogs travel free on the short routes, on a lead or in a carrier, and stay on deck or in the pet lounge.',
  },
  {
    title: 'Assistance dogs',
    url: 'https://example.com/help/assistance-dogs',
    excerpt: 'Assistance dogs travel free everywhere on board. Tell us 48 hours ahead.',
  },
];

const POPULAR = [
  { title: 'Check-in times', url: 'https://example.com/help/check-in', excerpt: '', id: 'check-in' },
  { title: 'Is my ferry running?', url: 'https://example.com/help/status', excerpt: '', id: 'status' },
  { title: 'Refunds, how and when', url: 'https://example.com/help/refunds', excerpt: '', id: 'refunds' },
];

const CHECK_IN = `Check-in closes **10 minutes** before departure on foot, with a vehicle 25 minutes.

| Route | On foot | With a car |
| --- | --- | --- |
| Hallan – Tarrow | 10 minutes | 25 minutes |
| Hallan – Farholm | 45 minutes | 75 minutes |

- Lorries check in 60 minutes before departure.
- After check-in has closed, we [move your booking](https://example.com/help/changes) to the next ferry.`;

const past = (sessionId: string, title: string, daysAgo: number) => {
  const atMs = Date.now() - daysAgo * 86_400_000;
  const shared = {
    isStreaming: false,
    attachments: [],
    callActions: [],
    messageId: '',
    speaker: ADA,
  } as const;
  const sent = { delivery: { status: 'sent' }, localId: null } as const;
  return {
    sessionId,
    owner: '',
    title,
    startedAtMs: atMs,
    lastAtMs: atMs,
    items: [
      { kind: 'user', key: `${sessionId}a`, text: title, atMs, ...sent },
      {
        kind: 'agent',
        key: `${sessionId}b`,
        text: 'Yes. Dogs travel **free** on our short routes.\n\n- On the open deck\n- In the pet lounge on deck 5',
        atMs: atMs + 1_000,
        ...shared,
      },
      { kind: 'user', key: `${sessionId}c`, text: 'Thank you!', atMs: atMs + 60_000, ...sent },
    ],
  } as const;
};

const serve = (chat: FakeChat): void => {
  chat.services = async () => ({
    ...FAKE_SERVICES,
    readSearchLimits: async () => ({ maxQueryCharacters: 200 }),
    searchHelp: async ({ query }) => (query === '' ? POPULAR : query.startsWith('x') ? [] : ARTICLES),
    readArticle: async () => ({
      title: 'Check-in times',
      url: 'https://example.com/help/check-in',
      text: CHECK_IN,
    }),
    past: {
      ...FAKE_SERVICES.past,
      list: async () => [
        past('one', 'Can I bring my dog on the 14:30 to Skarø?', 0.2),
        past('two', 'How do refunds work when my ferry is cancelled because of the weather?', 6),
        past('three', 'Lost umbrella', 20),
        past('four', 'Group fares', 25),
      ],
    },
  });
};

const type = (root: ShadowRoot, words: string): void => {
  const field = root.querySelector<HTMLInputElement>('.help-field > input');
  if (!field) {
    requestAnimationFrame(() => type(root, words));
    return;
  }
  field.value = words;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
};

const HOME = {
  features: 'home history',
  hours: 'Mo-Su 00:00-23:59',
  hoursTimeZone: 'UTC',
} as const;

/** The screen before a conversation. */
export const HOME_STATES: Readonly<Record<string, GalleryState>> = {
  home: { build: serve, sign: '.past', options: HOME },
  home_search: {
    build: serve,
    after: (_, root) => type(root, 'dog'),
    sign: '.help-results',
    options: { ...HOME, hours: 'Mo 00:00-00:01' },
  },
  home_nothing: {
    build: serve,
    after: (_, root) => type(root, 'xylophone'),
    sign: '.help-ask',
    options: { features: 'home', welcome: 'Ahoy! Where would you like to go?' },
  },
  home_past: {
    build: serve,
    after: (_, root) => press(root, '.past button'),
    sign: '.past-body .message',
    options: HOME,
  },
  home_article: {
    build: serve,
    after: (_, root) => press(root, '.help-results button'),
    sign: '.past-body table',
    options: HOME,
  },
  home_continue: {
    build: serve,
    after: (_, root) => press(root, '.past button'),
    sign: '.past-body .message',
    options: { ...HOME, features: 'home history continue' },
  },
};
