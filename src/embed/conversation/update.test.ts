import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NatterWidget } from '../create-widget.ts';
import { mount } from '../mount.ts';

// No server answers there.
const ENDPOINT = 'http://127.0.0.1:9';

let widget: NatterWidget;
let happened: string[];
const host = () => document.querySelector('natter-chat') as HTMLElement;
const root = () => host().shadowRoot as ShadowRoot;
const field = () => root().querySelector('textarea') as HTMLTextAreaElement;
const frame = () => root().querySelector('.frame') as HTMLElement;
beforeEach(() => {
  widget = mount({ endpoint: ENDPOINT, language: 'en', agentName: 'Ada' });
  happened = [];
  for (const name of ['ready', 'open', 'close'] as const) widget.on(name, () => happened.push(name));
});
afterEach(async () => {
  await widget.destroy();
  vi.restoreAllMocks();
});

async function type(words: string): Promise<void> {
  await widget.open();
  field().focus();
  field().value = words;
  field().dispatchEvent(new InputEvent('input', { bubbles: true }));
}

it('changes the view on update, and keeps client, field and focus', async () => {
  await type('Is the ferry');
  const before = field();
  await widget.update({ agentName: 'Grace', theme: 'dark', language: 'de', welcome: 'x'.repeat(120) });
  expect(root().querySelector('[role=dialog]')?.ariaLabel).toBe('Grace');
  expect(frame()).toMatchObject({ lang: 'de', dataset: { theme: 'dark', open: 'true' } });
  // A text that is too long is cut, as at the start.
  expect(root().querySelector('.intro-title')?.textContent).toBe(`${'x'.repeat(99)}…`);
  expect([field(), field().value, root().activeElement]).toEqual([before, 'Is the ferry', before]);
  await widget.update({ agentName: undefined });
  expect(root().querySelector('[role=dialog]')?.ariaLabel).toBe('Assistent');
  expect(happened).toEqual(['ready', 'open']);
});

it.each([
  ['endpoint', { endpoint: 'http://127.0.0.1:8' }],
  ['connector', { connector: 'sales' }],
  ['platform', { platform: 'android' }],
] as const)('restarts an open chat once for another %s, with the draft', async (_, changes) => {
  await type('Is the ferry');
  const before = field();
  await widget.update({ ...changes, theme: 'dark' });
  expect(before.isConnected).toBe(false);
  expect(root().querySelectorAll('.frame, .launcher')).toHaveLength(2);
  expect(root().querySelectorAll('.launcher path')).toHaveLength(2);
  await vi.waitFor(() => expect(field().value).toBe('Is the ferry'));
  expect([frame().dataset['open'], frame().dataset['theme']]).toEqual(['true', 'dark']);
  expect(root().activeElement).toBe(field());
  expect(happened).toEqual(['ready', 'open']);
  const again = field();
  // Equal options need no change.
  await widget.update(changes);
  expect(field()).toBe(again);
});

it('asks for consent when an update enables it, and keeps the draft', async () => {
  await type('Is the ferry');
  await widget.update({ consent: true });
  const agree = () => root().querySelector<HTMLButtonElement>('.gate button');
  await vi.waitFor(() => expect(agree()).not.toBeNull());
  agree()?.click();
  await vi.waitFor(() => expect(field().value).toBe('Is the ferry'));
});

it('keeps the draft when an invalid endpoint is corrected', async () => {
  await type('Is the ferry');
  await widget.update({ endpoint: 'chat.example.com' });
  expect(root().querySelector('textarea')).toBeNull();
  await expect(widget.open()).rejects.toThrow('not an https address');
  await widget.update({ endpoint: ENDPOINT });
  await vi.waitFor(() => expect(field().value).toBe('Is the ferry'));
});

it('resumes nothing, and reports nothing, while the endpoint is invalid', async () => {
  await widget.destroy();
  const errors = vi.spyOn(globalThis, 'reportError').mockReturnValue();
  // A stored conversation is resumed automatically while the endpoint changes.
  vi.spyOn(indexedDB, 'databases').mockResolvedValue([{ name: 'natter', version: 1 }]);
  widget = mount({ endpoint: ENDPOINT, language: 'en', agentName: 'Ada' });
  await widget.update({ endpoint: 'chat.example.com' });
  await expect(widget.open()).rejects.toThrow('not an https address');
  expect(errors).not.toHaveBeenCalled();
});

it('makes commands wait for a chat that is being restarted', async () => {
  await widget.open();
  await widget.close();
  const changed = widget.update({ connector: 'sales' });
  const opened = widget.open();
  await Promise.all([changed, opened]);
  expect(frame().dataset['open']).toBe('true');
});

it('repeats to the next client who the visitor is, but no rejected call', async () => {
  const errors = vi.spyOn(globalThis, 'reportError').mockReturnValue();
  await widget.open();
  await widget.identify({ id: 'ana' });
  await expect(widget.setContext(null as never)).rejects.toThrow(TypeError);
  const claimed = vi.spyOn(crypto.subtle, 'digest');
  await widget.update({ connector: 'sales' });
  await widget.update({ connector: 'help' });
  expect(errors).not.toHaveBeenCalled();
  claimed.mockRestore();
});

it('applies updates from before the panel has loaded', async () => {
  await widget.update({ accent: 'teal', position: 'start', launcherLabel: 'Ask us', agentName: 'Grace' });
  const launcher = root().querySelector('.launcher');
  expect([launcher?.part.value, launcher?.ariaLabel]).toEqual(['launcher start', 'Ask us']);
  expect(host().style.getPropertyValue('--natter-accent')).toBe('teal');
  await widget.update({ accent: undefined, launcherLabel: undefined });
  expect([host().style.length, launcher?.ariaLabel]).toEqual([0, 'Chat']);
  expect(happened).toEqual([]);
  await widget.open();
  expect(root().querySelector('[role=dialog]')?.ariaLabel).toBe('Grace');
});

it('hides and shows the launcher on update, but does not show one that the page has hidden', async () => {
  const isSeen = () => root().querySelector('.launcher')?.checkVisibility();
  await widget.update({ showLauncher: false });
  expect(isSeen()).toBe(false);
  await widget.update({ showLauncher: true });
  expect(isSeen()).toBe(true);
  await widget.hideLauncher();
  await widget.update({ theme: 'dark' });
  expect(isSeen()).toBe(false);
});

it('opens when an update makes the chat open automatically, or fill the window', async () => {
  await widget.update({ autoOpen: true });
  await vi.waitFor(() => expect(happened).toEqual(['ready', 'open']));
  await widget.close();
  await widget.update({ renderMode: 'fullscreen' });
  await vi.waitFor(() => expect(happened).toEqual(['ready', 'open', 'close', 'open']));
  expect(frame().dataset['layout']).toBe('fullscreen');
  expect(root().querySelector('.launcher')?.checkVisibility()).toBe(false);
});

it('rejects updates after the widget was destroyed', async () => {
  await widget.destroy();
  await expect(widget.update({ theme: 'dark' })).rejects.toThrow('destroyed');
});
