import { afterEach, expect, it, vi } from 'vitest';
import { createFakeChat } from '../testing/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../testing/mount-panel.ts';

const DAY_MS = 86_400_000;
let view: MountedPanel;
afterEach(() => view.destroy());

it('breaks between days are said as people say them, in the visitor’s own way', async () => {
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
