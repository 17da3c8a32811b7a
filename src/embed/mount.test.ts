import { afterEach, expect, it } from 'vitest';
import type { NatterWidget } from './create-widget.ts';
import { mount } from './mount.ts';
import type { WidgetOptions } from './widget-options.ts';

let widget: NatterWidget | null = null;
afterEach(() => widget?.destroy());

it('takes null for what is not set', async () => {
  const texts = { agentName: null, title: null, strings: null, language: null, localized: null };
  const options = { endpoint: 'https://chat.example.com', policyLinks: null, imageHosts: null, ...texts };
  // As a script may give it.
  widget = mount(options as unknown as WidgetOptions);
  await widget.open();
  expect(document.querySelector('natter-chat')?.shadowRoot?.querySelector('textarea')).not.toBeNull();
});

it('takes an endpoint that is relative to the page', async () => {
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

it.each(['on', 'once'] as const)(
  '`%s` refuses unknown events and handlers that are none, and says what it takes',
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
