import { afterEach, expect, it, vi } from 'vitest';
import { type App, createApp, defineComponent, h, nextTick, reactive, ref } from 'vue';
import type { NatterWidget } from '../embed/index.ts';
import { NatterChat, type NatterChatExposed } from './index.ts';

const ENDPOINT = 'https://chat.example';
let app: App | undefined;
afterEach(() => {
  app?.unmount();
  document.body.replaceChildren();
});

const hosts = () => [...document.querySelectorAll('natter-chat')];

/** Mounts an app whose root renders the widget with the current result of `options`, and again when `turn` changes. */
function show(options: () => Record<string, unknown>) {
  const turn = ref(0);
  const chat = ref<NatterChatExposed | null>(null);
  const Root = defineComponent(
    () => () =>
      h('main', [
        turn.value,
        h(NatterChat, { ref: chat, endpoint: ENDPOINT, connector: 'default', ...options() }),
      ]),
  );
  app = createApp(Root);
  app.mount(document.body.appendChild(document.createElement('div')));
  const drawAgain = async () => {
    turn.value += 1;
    await nextTick();
  };
  return { drawAgain, chat: () => chat.value?.widget as NatterWidget };
}

it('keeps the widget when the parent renders again with new objects, lists and handlers', async () => {
  const { drawAgain, chat } = show(() => ({
    policyLinks: [{ label: 'Privacy', url: 'https://ferry.example/privacy' }],
    localized: { de: { welcome: 'Ahoi!' } },
    strings: { en: { send: 'Post' } },
    onMessage: () => {},
  }));
  const before = [hosts()[0], chat()];
  expect(before[0]).toBeInstanceOf(HTMLElement);
  await drawAgain();
  await drawAgain();
  expect([hosts()[0], chat()]).toEqual(before);
  expect(hosts()).toHaveLength(1);
});

it('applies changed Vue properties in place, also inside an object: panel and draft stay', async () => {
  const policyLinks = reactive([{ label: 'Privacy', url: 'https://ferry.example/privacy' }]);
  const theme = ref('light');
  const { chat } = show(() => ({ policyLinks, theme: theme.value, language: 'en' }));
  const [host] = hosts();
  const widget = chat();
  await widget.open();
  const field = host?.shadowRoot?.querySelector('textarea') as HTMLTextAreaElement;
  field.value = 'Is the ferry';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  theme.value = 'dark';
  Object.assign(policyLinks[0] ?? {}, { label: 'Privacy notice' });
  policyLinks.push({ label: 'Terms', url: 'https://ferry.example/terms' });
  const frame = () => host?.shadowRoot?.querySelector<HTMLElement>('.frame');
  await vi.waitFor(() => expect(frame()?.dataset).toMatchObject({ theme: 'dark', open: 'true' }));
  await vi.waitFor(() => expect(frame()?.textContent).toMatch(/Privacy notice[\s\S]*Terms/));
  expect([field.isConnected, field.value]).toEqual([true, 'Is the ferry']);
  expect([hosts(), chat()]).toEqual([[host], widget]);
});

it('accepts its options as plain data, and restores the default of a removed one', async () => {
  const label = ref<string | undefined>('Ask us');
  const { chat } = show(() => ({ launcherLabel: label.value, showLauncher: undefined }));
  const name = () => hosts()[0]?.shadowRoot?.querySelector('button')?.ariaLabel;
  expect(name()).toBe('Ask us');
  const first = chat();
  label.value = undefined;
  await nextTick();
  expect(name()).toBe('Chat');
  expect(chat()).toBe(first);
});

it('draws an inline chat inside the Vue component, and any other over the page', async () => {
  const renderMode = ref('inline');
  show(() => ({ renderMode: renderMode.value }));
  const [host] = hosts();
  expect(host?.closest('main')).not.toBeNull();
  renderMode.value = 'default';
  await nextTick();
  expect(host?.parentNode).toBe(document.documentElement);
  renderMode.value = 'inline';
  await nextTick();
  expect(hosts()).toEqual([host]);
  expect(host?.closest('main')).not.toBeNull();
});

it('keeps errors inside it from the Vue tree around it', () => {
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  const fault = new Error('A browser that does not do as it should');
  vi.spyOn(Element.prototype, 'attachShadow').mockImplementation(() => {
    throw fault;
  });
  const { chat } = show(() => ({}));
  expect([chat(), reported]).toEqual([null, [fault]]);
  expect(document.querySelector('main')?.textContent).toBe('0');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('is removed with its Vue component', () => {
  show(() => ({}));
  expect(hosts()).toHaveLength(1);
  app?.unmount();
  app = undefined;
  expect(hosts()).toHaveLength(0);
});
