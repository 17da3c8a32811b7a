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
