import { signal } from '@preact/signals-core';
import { expect, vi } from 'vitest';
import { strings as en } from '../../src/widget/locales/en.ts';
import type { WidgetEvents } from '../../src/widget/options.ts';
import type { Terms } from '../../src/widget/panel/load-terms.ts';
import { createPanel, type Panel, type PanelOptions } from '../../src/widget/panel/panel.tsx';
import { createFakeChat, type FakeChat } from './fake-chat.ts';

/** A panel on the test page. */
export interface MountedPanel {
  readonly chat: FakeChat;
  readonly panel: Panel;
  readonly root: ShadowRoot;
  readonly host: HTMLElement;
  readonly launcher: HTMLButtonElement;
  readonly events: readonly { readonly name: keyof WidgetEvents; readonly detail: unknown }[];
  find<T extends HTMLElement = HTMLElement>(selector: string): T;
  all(selector: string): readonly HTMLElement[];
  /** Returns the button with this text or label. */
  button(name: string): HTMLButtonElement;
  destroy(): void;
}

/** Mounts a panel with a scripted client. It stays on the page until `destroy`. */
export function mountPanel(
  options: Partial<PanelOptions> = {},
  chat: FakeChat = createFakeChat(),
  terms?: Terms,
): MountedPanel {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const launcher = document.createElement('button');
  root.append(launcher);
  document.body.append(host);
  const events: { name: keyof WidgetEvents; detail: unknown }[] = [];
  const panel = createPanel({
    root,
    chat: terms?.chat ?? chat,
    terms: signal(terms ?? null),
    options: signal({
      endpoint: 'https://chat.example',
      language: 'en',
      theme: 'light',
      ...options,
    } as PanelOptions),
    texts: { language: 'en', strings: en },
    pageDirection: 'ltr',
    emit: (name, detail) => void events.push({ name, detail }),
    onToggle: (_, returnFocus) => {
      if (returnFocus) launcher.focus();
    },
  });
  const all = (selector: string) => [...root.querySelectorAll<HTMLElement>(selector)];
  return {
    chat,
    panel,
    root,
    host,
    launcher,
    events,
    all,
    find<T extends HTMLElement>(selector: string) {
      const found = root.querySelector<T>(selector);
      if (!found) throw new Error(`Nothing matches "${selector}".`);
      return found;
    },
    button(name) {
      const found = all('button').find((button) => (button.ariaLabel ?? button.textContent?.trim()) === name);
      if (!found) throw new Error(`There is no button "${name}".`);
      return found as HTMLButtonElement;
    },
    destroy() {
      panel.destroy();
      host.remove();
    },
  };
}

/** Mounts a panel after the code for Markdown has loaded, so that it draws the first text of a test. */
export async function mountWithMarkdown(options: Partial<PanelOptions> = {}): Promise<MountedPanel> {
  const mounted = mountPanel(options);
  mounted.chat.says('**loaded**');
  await vi.waitFor(() => mounted.find('.rich strong'));
  mounted.chat.messages.value = [];
  await vi.waitFor(() => expect(mounted.all('.rich')).toEqual([]));
  return mounted;
}
