import { effect, signal } from '@preact/signals-core';
import { createLauncher } from '../../src/embed/launcher/launcher.ts';
import { createLauncherStatus } from '../../src/embed/launcher/launcher-status.ts';
import { createPanel, loadFirstTexts, loadTerms, type WidgetOptions } from '../../src/widget/index.ts';
import { createFakeChat } from '../../test/widget/fake-chat.ts';
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
// Fetched by the panel only when it needs them; here no state is looked at without them.
await import('../../test/widget/all-parts.ts');

let takeAway = (): void => {};
let changeShown = async (_: URLSearchParams): Promise<void> => {};

/** Gives the widget the typefaces and the properties of `query`, and no others. */
async function dress(host: HTMLElement, query: URLSearchParams): Promise<void> {
  const fonts = query.get('fonts') ?? '';
  if (fonts) await import('./fixed-fonts.ts');
  document.documentElement.dataset['fonts'] = fonts;
  for (const name of ['accent', 'text', 'density'])
    host.style.setProperty(`--natter-${name}`, query.get(name));
}

/** Shows the state that `query` names in place of the last one; a ready theme stays as the page was opened with it. */
async function show(query: URLSearchParams): Promise<void> {
  takeAway();
  document.documentElement.toggleAttribute('data-alone', query.get('alone') === 'true');
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
  await dress(host, query);
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
    state.leave?.();
  };
  if (mode === 'inline') {
    const { mountInline } = await import('../../src/embed/page/mount-inline.ts');
    mountInline(root);
    host.style.setProperty('--natter-height', '540px');
    document.body.prepend(host);
  } else document.body.append(host);
  const sign = state.bubble ? '.teaser' : state.sign;
  changeShown = async (next) => {
    await dress(host, next);
    const language = next.get('language') ?? 'en';
    options.value = { ...options.peek(), language };
    // The texts of a language are fetched when it is shown. The language of the conversation goes before that of the page.
    await settle(root, `.frame[lang=${chat.language.peek() ?? language}]`);
    await settle(root, sign);
  };
  if (state.bubble) {
    await status.showBubble(state.bubble);
    await settle(root, sign);
    return;
  }
  if (query.get('open') === 'false') return;
  panel.open(query.get('focus') === 'true');
  if (state.after) {
    await settle(root);
    state.after(chat, root);
  }
  await settle(root, sign);
}

await show(page);
// For the tests: to show a state after another takes a fraction of the time that a page takes to load, and to change the
// language, the typefaces or the properties of the state that is shown still less.
Object.assign(window, {
  showState: (search: string) => show(new URLSearchParams(search)),
  changeState: (search: string) => changeShown(new URLSearchParams(search)),
});
document.documentElement.dataset['ready'] = 'true';
