import { signal } from '@preact/signals-core';
import { createLauncher } from '../../src/embed/launcher.ts';
import { createPanel, type WidgetOptions } from '../../src/widget/index.ts';
import { createFakeChat } from '../../src/widget/testing/fake-chat.ts';
import { STATES } from './states.ts';

const query = new URLSearchParams(location.search);
const stateName = query.get('state') ?? 'greeting';

for (const name of Object.keys(STATES)) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `?state=${name}`;
  link.textContent = name;
  item.append(link);
  document.querySelector('#states')?.append(item);
}

const chat = createFakeChat();
const state = STATES[stateName];
if (!state) throw new Error(`There is no state "${stateName}". Known: ${Object.keys(STATES).join(', ')}`);
state.build(chat);

const theme = query.get('theme');
const options = signal<WidgetOptions>({
  endpoint: location.origin,
  agentName: 'Ada',
  title: 'Kittiwake Ferries',
  language: query.get('language') ?? 'en',
  renderMode: query.get('mode') === 'fullscreen' ? 'fullscreen' : 'default',
  theme: theme === 'dark' || theme === 'light' ? theme : 'auto',
  contactUrl: 'https://example.com/contact',
  ...state.options,
});
const host = document.createElement('natter-chat');
const accent = query.get('accent');
if (accent) host.style.setProperty('--natter-accent', accent);
const root = host.attachShadow({ mode: 'open' });
const launcher = createLauncher(root, { onIntent: () => {}, onToggle: () => toggle() });
launcher.setVisible(options.peek().renderMode !== 'fullscreen');
const panel = createPanel({
  root,
  chat,
  options,
  pageDirection: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
  emit: () => {},
  onToggle: (isOpen, returnFocus) => {
    launcher.setOpen(isOpen);
    if (returnFocus) launcher.button.focus({ preventScroll: true });
  },
});
function toggle(): void {
  if (panel.isOpen.peek()) panel.close(true);
  else panel.open(true);
}
document.body.append(host);
if (query.get('open') === 'false') launcher.setUnread(2);
else panel.open(query.get('focus') === 'true');
state.after?.(chat, root);
document.documentElement.dataset['ready'] = 'true';
