import { afterEach, expect, it, vi } from 'vitest';
import { ADA, createFakeChat, MAREN } from '../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

/** A picture of one colour on the page's own host, which is always allowed. */
const picture = (name: string) => `${location.origin}/test/widget/face.svg?${name}`;
const header = () => view.find('.header .avatar');
const shown = () => header().querySelector('img')?.src ?? header().textContent;
const ada = { ...ADA, avatarUrl: picture('ada') };

/** Everything that the header's avatar showed. */
function watch(): readonly (string | null)[] {
  const seen = [shown()];
  new MutationObserver(() => seen.push(shown())).observe(header(), {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
  });
  return seen;
}

it('keeps the agent’s picture while the visitor waits, and after the end', async () => {
  const chat = createFakeChat();
  chat.speaker.value = ada;
  chat.says('Hello', { speaker: ada });
  view = mountPanel({}, chat);
  view.panel.open(true);
  await vi.waitFor(() => expect(shown()).toBe(ada.avatarUrl));
  const seen = watch();
  chat.notes({ code: 'handoff_started' });
  chat.speaker.value = null;
  await vi.waitFor(() => expect(view.find('.handoff')).toBeTruthy());
  chat.session.value = { status: 'ended', by: 'agent' };
  await vi.waitFor(() => expect(view.find('.ended')).toBeTruthy());
  expect(new Set(seen)).toEqual(new Set([ada.avatarUrl]));
});

it('keeps the agent’s picture while a new chat begins below the one that has ended', async () => {
  const chat = createFakeChat();
  chat.speaker.value = ada;
  chat.says('Hello', { speaker: ada });
  chat.session.value = { status: 'ended', by: 'agent' };
  view = mountPanel({}, chat);
  view.panel.open(true);
  await vi.waitFor(() => expect(shown()).toBe(ada.avatarUrl));
  const seen = watch();
  view.panel.send('One more thing');
  chat.speaker.value = null;
  await vi.waitFor(() => expect(view.find('.bubble').textContent).toBe('One more thing'));
  expect(new Set(seen)).toEqual(new Set([ada.avatarUrl]));
});

it('shows the agent’s name and picture again after a chat with a person has ended', async () => {
  const chat = createFakeChat();
  chat.says('Hello', { speaker: ada });
  chat.says('Hi, this is Maren.', { speaker: MAREN });
  chat.speaker.value = MAREN;
  view = mountPanel({}, chat);
  view.panel.open(true);
  await vi.waitFor(() => expect(view.find('.who').textContent).toBe('Maren VossA member of our team'));
  chat.session.value = { status: 'ended', by: 'user' };
  await vi.waitFor(() => expect(shown()).toBe(ada.avatarUrl));
  expect(view.find('.who').textContent).toBe('AdaAutomated agent');
});

it('replaces a picture once the next one has been decoded, without showing the initial', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.speaker.value = ada;
  await vi.waitFor(() => expect(shown()).toBe(ada.avatarUrl));
  const seen = watch();
  const person = { ...MAREN, avatarUrl: picture('maren') };
  view.chat.speaker.value = person;
  await vi.waitFor(() => expect(shown()).toBe(person.avatarUrl));
  expect(seen.filter((one) => !one?.startsWith('http'))).toEqual([]);
});

it('shows the initial if the picture cannot be decoded', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.speaker.value = { ...ADA, avatarUrl: `${location.origin}/nothing-here.png` };
  await vi.waitFor(() => expect(shown()).toBe('A'));
});

it('shows the picture of the agent who joined beside the site’s greeting, also after a person has joined', async () => {
  const chat = createFakeChat();
  chat.speaker.value = ada;
  chat.says('Hello', { speaker: ada });
  view = mountPanel({ welcome: 'Welcome aboard' }, chat);
  view.panel.open(true);
  const intro = () => view.find('.intro .avatar').querySelector('img')?.src;
  await vi.waitFor(() => expect(intro()).toBe(ada.avatarUrl));
  chat.asks('Can I bring my dog?');
  chat.says('Yes.', { speaker: ada });
  chat.speaker.value = MAREN;
  await vi.waitFor(() => expect(view.find('.who').textContent).toContain('Maren Voss'));
  expect(intro()).toBe(ada.avatarUrl);
});

it('shows the site’s picture for the agent, whose address may be relative to the page', async () => {
  view = mountPanel({ avatarUrl: '/test/widget/face.svg?site' });
  view.panel.open(true);
  await vi.waitFor(() => expect(shown()).toBe(picture('site')));
});
