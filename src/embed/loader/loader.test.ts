import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NatterWidget } from '../create-widget.ts';

let run = 0;
// The loader resolves every file against its own address, below which nothing is served. Each run has its own
// directory, because a request of one test may end in the next.
const directory = () => `${location.origin}/not-there/${run}`;

beforeEach(() => {
  vi.stubGlobal('__PANEL_FILE__', 'natter/panel-4f2a91bc.js');
  vi.stubGlobal('__EARLY_FILE__', 'natter/early-4f2a91bc.js');
  vi.stubGlobal('__LANGUAGES__', 'de en');
  vi.stubGlobal('__TEXTS_FILE__', 'natter/[language]-4f2a91bc.js');
  vi.stubGlobal('reportError', () => undefined);
});
afterEach(async () => {
  await window.Natter?.destroy?.();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Runs the script again, as a browser does for a second script tag. */
async function runScript(attributes: Readonly<Record<string, string>> | null): Promise<void> {
  const script = document.createElement('script');
  run += 1;
  // The browser keeps a limited number of entries.
  performance.clearResourceTimings();
  script.src = `${directory()}/natter.js?version=1`;
  for (const [name, value] of Object.entries(attributes ?? {})) script.setAttribute(name, value);
  vi.spyOn(Document.prototype, 'currentScript', 'get').mockReturnValue(attributes && script);
  await import(/* @vite-ignore */ `./loader.ts?run=${run}`);
}

const hosts = () => document.querySelectorAll('natter-chat');
const button = () => hosts()[0]?.shadowRoot?.querySelector('button');

it('draws the launcher with the attributes of the script tag', async () => {
  await runScript({ 'data-show-icon': 'false', 'data-accent': 'teal' });
  expect(document.documentElement.lastElementChild?.id).toBe('natter-chat');
  expect(button()?.checkVisibility()).toBe(false);
  expect(document.querySelector<HTMLElement>('#natter-chat')?.style.getPropertyValue('--natter-accent')).toBe(
    'teal',
  );
});

it('moves into the placeholder of the page', async () => {
  const place = document.createElement('div');
  place.id = 'natter-chat';
  document.body.prepend(place);
  await runScript({});
  expect(document.body.firstElementChild).toBe(hosts()[0]);
  expect(place.isConnected).toBe(false);
});

it('only warns if the page has the widget already', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await runScript({});
  const first = window.Natter;
  await runScript({});
  expect(window.Natter).toBe(first);
  expect(hosts()).toHaveLength(1);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Load natter.js once'));
});

it('only warns if the script is loaded as a module', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await runScript(null);
  expect(window.Natter).toBeUndefined();
  expect(hosts()).toHaveLength(0);
  expect(warn).toHaveBeenCalledOnce();
});

/** Files that the loader of the last run has requested. */
const asked = (): readonly string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${directory()}/`))
    .map((name) => name.slice(directory().length));
const alert = () => hosts()[0]?.shadowRoot?.querySelector('[role=alert]');

it('loads the panel from the script’s address, and from a new address after a failure', async () => {
  const panels = () => asked().filter((name) => name.includes('panel'));
  await runScript({});
  button()?.click();
  await vi.waitFor(() => expect(alert()).toBeTruthy());
  button()?.click();
  await vi.waitFor(() => expect(panels()).toHaveLength(2));
  expect(panels()).toEqual(['/natter/panel-4f2a91bc.js', '/natter//panel-4f2a91bc.js']);
});

it.each([
  ['that the tag names', 'de-AT', ['en-GB'], 'de'],
  ['of the browser', '', ['da', 'de-CH', 'en'], 'de'],
  ['that is there for all', '', ['da'], 'en'],
])('loads the texts of the language %s together with the panel', async (_, named, spoken, language) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(spoken);
  await runScript({ 'data-language': named });
  button()?.click();
  // Both requests fail, in either order.
  await vi.waitFor(() => expect(asked()).toHaveLength(2));
  expect(asked().toSorted()).toEqual([`/natter/${language}-4f2a91bc.js`, '/natter/panel-4f2a91bc.js']);
});

it('loads the code for proactive messages only for a site that has some, when the page is idle', async () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act));
  const rest = async (): Promise<void> => {
    for (const act of idle.splice(0)) act();
    await indexedDB.databases();
    await new Promise((resolve) => setTimeout(resolve));
  };
  await runScript({});
  await rest();
  expect(asked()).toEqual([]);
  await window.Natter?.destroy?.();
  await runScript({ 'data-proactive': '[]' });
  expect(asked()).toEqual([]);
  await rest();
  await vi.waitFor(() => expect(asked()).toEqual(['/natter/early-4f2a91bc.js']));
});

it('stays on a page that replaces its body, until it is destroyed', async () => {
  await runScript({});
  button()?.focus();
  const old = document.body;
  old.replaceWith(document.createElement('body'));
  expect(hosts()).toHaveLength(1);
  expect(document.activeElement).toBe(hosts()[0]);
  await window.Natter?.destroy?.();
  expect(window.Natter).toBeUndefined();
  document.body.replaceWith(old);
  await new Promise(requestAnimationFrame);
  expect(hosts()).toHaveLength(0);
});

it('moves to a new placeholder when the page replaces the earlier one', async () => {
  const placeIn = (body: HTMLElement): HTMLElement => {
    const place = document.createElement('div');
    place.id = 'natter-chat';
    body.append(place);
    return body;
  };
  placeIn(document.body);
  await runScript({});
  const [host] = hosts();
  const old = document.body;
  old.replaceWith(placeIn(document.createElement('body')));
  await expect.poll(() => document.body.lastElementChild === host).toBe(true);
  await window.Natter?.destroy?.();
  document.body.replaceWith(old);
});

it('has its default name if its label is empty', async () => {
  await runScript({ 'data-launcher-label': '' });
  expect(button()?.ariaLabel).not.toBe('');
});

it('runs the next queued call after one that throws, and after a value that is no function', async () => {
  const thrown: unknown[] = [];
  const onRejection = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    thrown.push(event.reason);
  };
  window.addEventListener('unhandledrejection', onRejection);
  const mine = new Error('of the page');
  const seen: string[] = [];
  const fail = () => {
    throw mine;
  };
  Reflect.set(window, 'Natter', [fail, 'open', () => seen.push('last')]);
  await runScript({});
  expect(seen).toEqual(['last']);
  await vi.waitFor(() => expect(thrown).toEqual([mine, expect.any(TypeError)]));
  window.removeEventListener('unhandledrejection', onRejection);
});

it('runs the calls that the page has queued in their order, and later ones at once', async () => {
  const seen: unknown[] = [];
  Reflect.set(window, 'Natter', [(natter: unknown) => seen.push('first', natter), () => seen.push('second')]);
  await runScript({});
  expect(seen).toEqual(['first', window.Natter, 'second']);
  window.Natter?.push(() => seen.push('third'));
  expect(seen.at(-1)).toBe('third');
});

it('keeps isOpen and unread up to date, and accepts a prefilled text before the panel has loaded', async () => {
  const results: unknown[] = [];
  const before = [(natter: NatterWidget) => results.push(natter.prefill('Where is my order?'))];
  Reflect.set(window, 'Natter', before);
  await runScript({});
  const natter = window.Natter as NatterWidget;
  for (const name of ['isOpen', 'unread'] as const)
    expect(Object.getOwnPropertyDescriptor(natter, name)?.get, name).toBeTypeOf('function');
  await expect(results[0]).resolves.toBeUndefined();
});
