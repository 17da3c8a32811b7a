import { afterEach, expect, it, vi } from 'vitest';
import { createFakeChat } from '../../../../test/widget/fake-chat.ts';
import { findUnsafe, PANEL } from '../../../../test/widget/find-unsafe.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

const DAY_MS = 86_400_000;
let view: MountedPanel;
afterEach(() => view.destroy());

it('shows the day between messages in the visitor’s locale', async () => {
  // Noon, so that no hour that is put forward or back turns one day into another.
  const noon = new Date();
  noon.setHours(12, 0, 0, 0);
  const nowMs = noon.getTime();
  const chat = createFakeChat(nowMs);
  for (const daysAgo of [4, 1, 0]) chat.asks(`${daysAgo}`, { status: 'sent' }, nowMs - daysAgo * DAY_MS);
  view = mountPanel({}, chat);
  view.panel.open(false);
  await vi.waitFor(() => expect(view.all('.day')).toHaveLength(3));
  const [locale = ''] = navigator.languages;
  const long = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  expect(view.all('.day').map(({ textContent }) => textContent)).toEqual([
    long.format(nowMs - 4 * DAY_MS),
    'yesterday',
    'today',
  ]);
});

it('links the route of a hand-off if it is an address or a phone number, and shows text otherwise', async () => {
  view = mountPanel();
  view.panel.open(false);
  const routes = [
    'https://example.com/contact',
    'mailto:help@example.com',
    'tel:+45 70 12 34 56',
    '+45 70 12 34 56',
    'the desk at the quay',
    'javascript:alert(1)',
    '/contact',
  ];
  for (const route of routes) view.chat.notes({ code: 'handoff_required', route });
  await vi.waitFor(() => expect(view.all('.system')).toHaveLength(routes.length));
  expect(view.all('.system').map(({ textContent }) => textContent)).toEqual([
    'Please continue with example.com/contact',
    'Please continue with help@example.com',
    'Please continue with +45 70 12 34 56',
    'Please continue with +45 70 12 34 56',
    ...routes.slice(4).map((route) => `Please continue with ${route}`),
  ]);
  const links = view.all('.system a');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    'https://example.com/contact',
    'mailto:help@example.com',
    'tel:+4570123456',
    'tel:+4570123456',
  ]);
  expect(findUnsafe(view.root, PANEL)).toEqual([]);
});

it('says that the language has changed only where the conversation began in another', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.notes({ code: 'language_changed', language: 'de' });
  view.chat.says('Hallo');
  view.chat.notes({ code: 'language_changed', language: 'fr' });
  await vi.waitFor(() => expect(view.all('.system')).toHaveLength(1));
  expect(view.find('.system').textContent).toContain('French');
});
