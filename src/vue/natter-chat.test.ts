import { afterEach, expect, it } from 'vitest';
import { type App, createApp, defineComponent, h, nextTick, reactive, ref } from 'vue';
import type { NatterWidget } from '../embed/index.ts';
import { NatterChat, type NatterChatExposed } from './index.ts';

const ENDPOINT = 'https://chat.example';
let app: App | undefined;
afterEach(() => app?.unmount());

const hosts = () => [...document.querySelectorAll('natter-chat')];

/** An app whose root draws the widget with what `options` gives at that moment, and again when `turn` changes. */
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
  app.mount(document.createElement('div'));
  const drawAgain = async () => {
    turn.value += 1;
    await nextTick();
  };
  return { drawAgain, chat: () => chat.value?.widget as NatterWidget };
}

it('stays as it is when the parent draws again with objects, lists and handlers made anew', async () => {
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

it('is set up anew, once, when a value in an object changes, also in place', async () => {
  const policyLinks = reactive([{ label: 'Privacy', url: 'https://ferry.example/privacy' }]);
  show(() => ({ policyLinks }));
  const [before] = hosts();
  policyLinks.push({ label: 'Terms', url: 'https://ferry.example/terms' });
  await nextTick();
  const [added] = hosts();
  expect(added).not.toBe(before);
  Object.assign(policyLinks[0] ?? {}, { label: 'Privacy notice' });
  await nextTick();
  expect(hosts()[0]).not.toBe(added);
  expect(hosts()).toHaveLength(1);
});

it('takes its options as plain data, and leaves out what is not given', async () => {
  const label = ref<string | undefined>('Ask us');
  const { chat } = show(() => ({ launcherLabel: label.value, showLauncher: undefined }));
  const name = () => hosts()[0]?.shadowRoot?.querySelector('button')?.ariaLabel;
  expect(name()).toBe('Ask us');
  const first = chat();
  label.value = undefined;
  await nextTick();
  expect(name()).toBe('Chat');
  expect(chat()).not.toBe(first);
});

it('goes with its component', () => {
  show(() => ({}));
  expect(hosts()).toHaveLength(1);
  app?.unmount();
  app = undefined;
  expect(hosts()).toHaveLength(0);
});
