import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WidgetOptions } from '../widget/index.ts';
import type { NatterWidget } from './create-widget.ts';
import { mount } from './mount.ts';

let widget: NatterWidget | null = null;
// The machine may have no network: the widget would wait for one.
beforeEach(() => void vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  return widget?.destroy();
});

it('accepts null for options that are not set', async () => {
  const texts = { agentName: null, title: null, strings: null, language: null, localized: null };
  const options = { endpoint: 'https://chat.example.com', policyLinks: null, imageHosts: null, ...texts };
  // As a script may give it.
  widget = mount(options as unknown as WidgetOptions);
  await widget.open();
  expect(document.querySelector('natter-chat')?.shadowRoot?.querySelector('textarea')).not.toBeNull();
});

it('uses the defaults for options that are not texts, and opens', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const texts = { agentName: {}, title: 5, welcome: [], disclaimer: 7, language: 5, contactUrl: 5 };
  const options = { endpoint: 'https://chat.example.com', strings: { en: { send: null } }, ...texts };
  // As a script may give it.
  widget = mount(options as unknown as WidgetOptions);
  const root = document.querySelector('natter-chat')?.shadowRoot;
  expect(root?.querySelector('button')?.ariaLabel).toBe('Chat');
  await widget.open();
  expect(root?.querySelector('[role=dialog]')?.ariaLabel).toBe('Assistant');
  expect(root?.querySelector('[part=send]')?.ariaLabel).toBe('Send message');
  await widget.update({ language: 7 as unknown as string });
  await widget.update({ title: '', agentName: 'Ada' });
  expect(root?.querySelector('[role=dialog]')?.ariaLabel).toBe('Ada');
});

it('accepts an endpoint that is relative to the page', async () => {
  const asked: string[] = [];
  const { fetch } = window;
  window.fetch = async (input) => {
    asked.push(String(input instanceof Request ? input.url : input));
    return new Response('{}', { status: 404 });
  };
  widget = mount({ endpoint: '/api/chat/' });
  await widget.open();
  await expect.poll(() => asked[0]).toBe(`${location.origin}/api/chat/v1/session`);
  window.fetch = fetch;
});

it('connects when the open panel is painted, and not if it was closed before', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (input: unknown) => {
    asked.push(input);
    return new Response('{}', { status: 404 });
  });
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  const paint = async (): Promise<void> => {
    for (const callback of frames.splice(0)) callback(performance.now());
    await new Promise((resolve) => setTimeout(resolve));
  };
  widget = mount({ endpoint: 'https://chat.example.com' });
  await widget.open();
  await widget.close();
  await paint();
  // The client queries the storage before the proxy. If it had connected, its query would precede this one.
  await indexedDB.databases();
  await widget.open();
  await indexedDB.databases();
  expect(asked).toEqual([]);
  await paint();
  await expect.poll(() => asked).toHaveLength(1);
});

it.each(['on', 'once'] as const)(
  'rejects unknown events and handlers that are no functions in `%s`, and names the valid ones',
  (method) => {
    widget = mount({ endpoint: 'https://chat.example.com' });
    const listen = widget[method] as (name: unknown, handler?: unknown) => () => void;
    expect(() => listen('mesage', () => {})).toThrow(
      new RegExp(`^${method}: there is no event "mesage". Events: ready, .*message, `),
    );
    expect(() => listen(undefined, () => {})).toThrow(TypeError);
    expect(() => listen('message')).toThrow(`${method}("message", (value) => { … })`);
    expect(listen('message', () => {})).toBeTypeOf('function');
  },
);
