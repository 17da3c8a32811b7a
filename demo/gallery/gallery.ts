import { effect, signal } from '@preact/signals-core';
import { createLauncher } from '../../src/embed/launcher.ts';
import { createLauncherStatus } from '../../src/embed/launcher-status.ts';
import { createPanel, loadFirstTexts, loadTerms, type WidgetOptions } from '../../src/widget/index.ts';
import { createFakeChat } from '../../src/widget/testing/fake-chat.ts';
import { settle } from './settle.ts';
import { STATES } from './states.ts';

for (const name of Object.keys(STATES)) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `?state=${name}`;
  link.textContent = name;
  item.append(link);
  document.querySelector('#states')?.append(item);
}

const page = new URLSearchParams(location.search);
const look = page.get('look');
if (look) {
  document.documentElement.dataset['look'] = look;
  await import(`../../src/widget/themes/${look}.css`);
}
if (page.get('fonts') === 'fixed') await import('./fixed-fonts.ts');
// Fetched by the panel only when it needs them; here no state is looked at without them.
await import('../../src/widget/testing/all-parts.ts');

let takeAway = (): void => {};

/** Shows what `query` says in place of what is shown; a ready theme and typefaces stay as the page was opened with. */
async function show(query: URLSearchParams): Promise<void> {
  takeAway();
  const stateName = query.get('state') ?? 'greeting';
  const state = STATES[stateName];
  if (!state) throw new Error(`There is no state "${stateName}". Known: ${Object.keys(STATES).join(', ')}`);
  const chat = createFakeChat();
  state.build(chat);

  const theme = query.get('theme');
  const mode = query.get('mode');
  const pageDirection = query.get('dir') === 'rtl' ? 'rtl' : 'ltr';
  document.documentElement.dir = pageDirection;
  const options = signal<WidgetOptions>({
    endpoint: location.origin,
    agentName: 'Ada',
    title: 'Kittiwake Ferries',
    language: query.get('language') ?? 'en',
    renderMode: mode === 'fullscreen' || mode === 'inline' ? mode : 'default',
    theme: theme === 'dark' || theme === 'light' ? theme : 'auto',
    contactUrl: 'https://example.com/contact',
    ...state.options,
  });
  const host = document.createElement('natter-chat');
  const accent = query.get('accent');
  if (accent) host.style.setProperty('--natter-accent', accent);
  const text = query.get('text');
  if (text) host.style.setProperty('--natter-text', text);
  const root = host.attachShadow({ mode: 'open' });
  const launcher = createLauncher(
    root,
    () => {},
    () => {
      if (panel.isOpen.peek()) panel.close(true);
      else panel.open(true);
    },
  );
  launcher.setLooks({}, true);
  launcher.button.hidden = options.peek().renderMode !== 'default';
  const makeTerms = await loadTerms(options.peek());
  const terms = makeTerms?.(chat, options) ?? null;
  const panel = createPanel({
    terms: signal(terms),
    texts: await loadFirstTexts(options.peek(), navigator.languages),
    root,
    chat: terms?.chat ?? chat,
    options,
    pageDirection,
    emit: () => {},
    onToggle: (_, returnFocus) => {
      if (returnFocus) launcher.button.focus({ preventScroll: true });
    },
  });
  const status = createLauncherStatus(root, launcher.button, () => panel.open(true));
  const unread = query.get('open') === 'false' ? 2 : 0;
  const stopStatus = effect(() => status.show(panel.isOpen.value, unread, panel.texts));
  takeAway = () => {
    stopStatus();
    status.destroy();
    panel.destroy();
    terms?.chat.destroy();
    host.remove();
  };
  if (mode === 'inline') {
    const { standInPage } = await import('../../src/embed/inline.ts');
    standInPage(root);
    host.style.setProperty('--natter-height', '540px');
    document.body.prepend(host);
  } else document.body.append(host);
  if (state.bubble) {
    await status.showBubble(state.bubble);
    await settle(root, '.teaser');
    return;
  }
  if (query.get('open') === 'false') return;
  panel.open(query.get('focus') === 'true');
  if (state.after) {
    await settle(root);
    state.after(chat, root);
  }
  await settle(root, state.sign);
}

await show(page);
// For the tests: to show a state after another takes a fraction of the time that a page takes to load.
Object.assign(window, { showState: (search: string) => show(new URLSearchParams(search)) });
document.documentElement.dataset['ready'] = 'true';
