import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeLoader } from '../../test/widget/fake-conversation.ts';
import type { WidgetOptions } from '../widget/index.ts';
import { createWidget } from './create-widget.ts';

const NOT_LOADED = 'The chat did not load. Please try again.';

const hosts: HTMLElement[] = [];
const reported: unknown[] = [];
beforeEach(() => {
  reported.length = 0;
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const host of hosts.splice(0)) host.remove();
});

function draw(
  options: Partial<WidgetOptions> = {},
  loader = createFakeLoader(),
  host = document.createElement('natter-chat'),
) {
  hosts.push(host);
  document.body.append(host);
  const loadEarly = vi.fn(() => import('./loader/early.ts'));
  const widget = createWidget(host, { endpoint: 'https://chat.example', ...options }, loader.load, loadEarly);
  const root = host.shadowRoot as ShadowRoot;
  const button = () => root.querySelector('button') as HTMLButtonElement;
  const alert = () => root.querySelector('[role=alert]');
  return { ...loader, loader, loadEarly, widget, host, root, button, alert };
}

describe('commands', () => {
  it('runs commands from before the panel has loaded in their order', async () => {
    const { widget, commands, countLoads, succeed } = draw();
    const done = Promise.all([
      widget.open(),
      widget.send('Hello'),
      widget.endChat(),
      widget.newChat(),
      widget.logout(),
      widget.setTheme('dark'),
      widget.showBubble('Hi'),
      widget.animateLauncher(),
      widget.close(),
      widget.toggle(),
    ]);
    expect(commands).toEqual([]);
    succeed();
    await done;
    expect(countLoads()).toBe(1);
    expect(commands).toEqual([
      'update {"theme":"dark"}',
      'open',
      'send "Hello"',
      'endChat',
      'newChat',
      'logout',
      'showBubble "Hi"',
      'animateLauncher',
      'close',
      'toggle',
    ]);
  });

  it('loads nothing for commands that only describe, and runs them first when the panel has loaded', async () => {
    const { widget, commands, countLoads, succeed } = draw();
    await Promise.all([
      widget.setContext({ page: 'Booking' }),
      widget.onContextRequired(() => ''),
      widget.setLanguage('de'),
      widget.setTheme('dark'),
      widget.refreshVerifiedContext(),
      widget.prefill('Is the ferry'),
    ]);
    expect(countLoads()).toBe(0);
    const opened = widget.open();
    await widget.identify({ id: 'ana' });
    succeed();
    await opened;
    await widget.setTheme('light');
    expect(commands).toEqual([
      'setContext {"page":"Booking"}',
      'onContextRequired',
      'update {"language":"de"}',
      'update {"theme":"dark"}',
      'refreshVerifiedContext',
      'prefill "Is the ferry"',
      'identify {"id":"ana"}',
      'open',
      'update {"theme":"light"}',
    ]);
    await widget.destroy();
    await expect(widget.setContext({})).rejects.toThrow('destroyed');
  });

  it('rejects invalid arguments before the panel has loaded, and does not run the command later', async () => {
    const { widget, commands, countLoads, succeed } = draw();
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`k${index}`, index]));
    for (const [said, message] of [
      [() => widget.identify('ana' as never), 'identify takes the user with an id'],
      [() => widget.identify({ id: '' }), 'identify takes the user with an id'],
      [() => widget.identify({ id: 'ana', local_id: 'x' }), '"local_id" is'],
      [() => widget.setContext(null as never), 'setContext takes facts'],
      [() => widget.setContext(many), 'at most 14'],
      [() => widget.setContext({ note: 'x'.repeat(1_025) }), '"note" is longer'],
      [() => widget.onContextRequired(undefined as never), 'onContextRequired takes a function'],
      [() => widget.prefill(null as never), 'prefill takes a text'],
    ] as const) {
      await expect(said()).rejects.toThrow(TypeError);
      await expect(said()).rejects.toThrow(message);
    }
    await widget.identify({ id: 42 } as never);
    await widget.identify(null);
    expect(countLoads()).toBe(0);
    const opened = widget.open();
    succeed();
    await opened;
    expect(commands).toEqual(['identify {"id":42}', 'identify null', 'open']);
  });

  it('takes isOpen and unread from the panel once it has loaded', async () => {
    const { widget, succeed } = draw();
    expect([widget.isOpen, widget.unread]).toEqual([false, 0]);
    const opened = widget.open();
    expect([widget.isOpen, widget.unread]).toEqual([false, 0]);
    succeed();
    await opened;
    expect([widget.isOpen, widget.unread]).toEqual([true, 2]);
    await widget.destroy();
    expect([widget.isOpen, widget.unread]).toEqual([false, 0]);
  });

  it('reports the outcome of a sent message', async () => {
    const { widget } = draw({}, createFakeLoader(true));
    expect(await widget.send('Hello')).toEqual({ status: 'accepted', localId: 'Hello' });
  });

  it('hides and shows the launcher without loading anything', async () => {
    const { widget, button, countLoads } = draw();
    await widget.hideLauncher();
    expect(button().checkVisibility()).toBe(false);
    await widget.showLauncher();
    expect(button().checkVisibility()).toBe(true);
    await widget.hideLauncher();
    await widget.update({ theme: 'dark' });
    expect(button().checkVisibility()).toBe(false);
    expect(countLoads()).toBe(0);
  });

  it('rejects commands while the panel cannot be loaded, and runs them once it can', async () => {
    const { widget, commands, fail, succeed, alert } = draw();
    const opened = expect(widget.open()).rejects.toThrow('Failed to fetch');
    fail();
    await opened;
    // The failure is reported to the page only, because the visitor did nothing.
    expect(alert()).toBeNull();
    const again = widget.open();
    succeed();
    await again;
    expect(commands).toEqual(['open']);
  });
});

describe('the launcher', () => {
  it('loads the panel once for any sign of a click, and opens it with the click', async () => {
    const { button, countLoads, commands, succeed } = draw();
    button().dispatchEvent(new PointerEvent('pointerenter'));
    button().focus();
    button().click();
    expect(countLoads()).toBe(1);
    succeed();
    await vi.waitFor(() => expect(commands).toEqual(['toggle']));
    button().click();
    await vi.waitFor(() => expect(commands).toEqual(['toggle', 'toggle']));
    expect(countLoads()).toBe(1);
  });

  it('opens the panel after a second click while it loads, and shows the launcher as busy until then', async () => {
    const { button, commands, succeed } = draw();
    expect(button().ariaBusy).not.toBe('true');
    button().click();
    button().click();
    expect(button().ariaBusy).toBe('true');
    succeed();
    await vi.waitFor(() => expect(commands).toEqual(['toggle', 'toggle']));
    expect([button().ariaExpanded, button().ariaBusy]).toEqual(['true', 'false']);
    button().click();
    await vi.waitFor(() => expect(button().ariaExpanded).toBe('false'));
    expect(button().ariaBusy).not.toBe('true');
  });

  it.each([
    ['the page hides it', { showLauncher: false }],
    ['the chat fills the window', { renderMode: 'fullscreen' }],
    ['the chat stands in the page', { renderMode: 'inline' }],
    ['the chat fills the window, even against a wish', { renderMode: 'fullscreen', showLauncher: true }],
    ['the page is in a web view on iOS', { platform: 'ios', renderMode: 'default' }],
  ] as const)('has no launcher when %s', (_, options) => {
    expect(draw(options).button().checkVisibility()).toBe(false);
  });

  it.each([
    ['asked to', { autoOpen: true }],
    ['the chat fills the window', { renderMode: 'fullscreen' }],
    ['the page is in a web view on iOS', { platform: 'ios' }],
  ] as const)('opens without the launcher when %s, and the focus stays where it is', async (_, options) => {
    const { commands } = draw(options, createFakeLoader(true));
    await vi.waitFor(() => expect(commands).toEqual(['open']));
  });
});

describe('a panel that is wanted early', () => {
  it('preloads the panel when the page is idle, and does not open it', async () => {
    const idle: (() => void)[] = [];
    vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act));
    const { widget, commands, countLoads, succeed } = draw({ preload: 'idle' });
    expect(countLoads()).toBe(0);
    for (const act of idle) act();
    expect(countLoads()).toBe(1);
    succeed();
    await widget.setTheme('dark');
    await vi.waitFor(() => expect(commands).toEqual(['update {"theme":"dark"}']));
  });

  it('preloads the panel after the page has loaded if the browser has no idle callback', () => {
    vi.stubGlobal('requestIdleCallback', undefined);
    const state = vi.spyOn(Document.prototype, 'readyState', 'get').mockReturnValue('interactive');
    const { countLoads } = draw({ preload: 'idle' });
    expect(countLoads()).toBe(0);
    dispatchEvent(new Event('load'));
    expect(countLoads()).toBe(1);
    state.mockReturnValue('complete');
    expect(draw({ preload: 'idle' }).countLoads()).toBe(1);
    state.mockRestore();
  });

  it('preloads the panel when an update asks for it, and otherwise waits for a sign of the visitor', async () => {
    vi.stubGlobal('requestIdleCallback', (act: () => void) => act());
    const { widget, countLoads } = draw({ preload: 'intent' });
    expect(countLoads()).toBe(0);
    await widget.update({ preload: 'idle' });
    expect(countLoads()).toBe(1);
  });

  it('reports no failed preload, also not after the widget was destroyed', async () => {
    const idle: (() => void)[] = [];
    vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act));
    const { loader, alert, countLoads } = draw({ preload: 'idle' });
    for (const act of idle.splice(0)) act();
    loader.fail();
    await Promise.resolve();
    expect(alert()).toBeNull();
    expect(reported).toEqual([]);
    expect(countLoads()).toBe(1);
    const late = draw({ preload: 'idle' });
    await late.widget.destroy();
    for (const act of idle) act();
    expect(late.countLoads()).toBe(0);
  });
});

describe('the chat of an earlier page', () => {
  const idle: (() => void)[] = [];
  beforeEach(() => {
    idle.length = 0;
    vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act));
    vi.spyOn(indexedDB, 'databases').mockResolvedValue([{ name: 'natter', version: 1 }]);
  });
  afterEach(() => void vi.restoreAllMocks());

  it('looks for an earlier conversation when the page is idle, not while it starts', async () => {
    vi.stubGlobal('sessionStorage', {});
    const { countLoads } = draw();
    expect(idle).toHaveLength(1);
    expect(indexedDB.databases).not.toHaveBeenCalled();
    for (const act of idle) act();
    await vi.waitFor(() => expect(countLoads()).toBe(1));
  });

  it('loads the panel at once if an earlier page of the tab left it open', async () => {
    vi.stubGlobal('sessionStorage', { 'natter-panel:https://chat.example': 'open 0' });
    const { countLoads } = draw();
    await vi.waitFor(() => expect(countLoads()).toBe(1));
    expect(idle).toEqual([]);
  });
});

describe('proactive messages', () => {
  const RULE = { id: 'fares', text: 'Can we help?', afterSeconds: 0 };
  const idle: (() => void)[] = [];
  beforeEach(() => {
    idle.length = 0;
    sessionStorage.clear();
    localStorage.clear();
    vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act));
  });

  it('loads the panel when a proactive rule is met, not before the page is idle', async () => {
    const { commands, countLoads, loadEarly } = draw({ proactive: [RULE] }, createFakeLoader(true));
    expect([countLoads(), loadEarly.mock.calls.length]).toEqual([0, 0]);
    for (const act of idle) act();
    await vi.waitFor(() =>
      expect(commands).toEqual(['update {"opening":"Can we help?"}', 'showBubble {"text":"Can we help?"}']),
    );
  });

  it('follows proactive rules of an update, and reports a wrong rule, which stops the earlier ones', async () => {
    const { widget, commands } = draw({}, createFakeLoader(true));
    for (const act of idle) act();
    await widget.update({ proactive: '[{}]' });
    await vi.waitFor(() => expect(reported).toHaveLength(1));
    expect(String(reported[0])).toContain('"proactive" has a rule 1 without "id"');
    await widget.update({ proactive: JSON.stringify([RULE]) });
    await vi.waitFor(() => expect(commands.at(-1)).toBe('showBubble {"text":"Can we help?"}'));
  });
});

describe('a panel that cannot be loaded', () => {
  it('shows beside the launcher that the panel cannot be loaded, and reports it to the page', async () => {
    const { button, alert, widget, root, fail } = draw({ contactUrl: 'mailto:help@example.com' });
    const errors: unknown[] = [];
    widget.on('error', (error) => errors.push(error));
    button().click();
    fail();
    await vi.waitFor(() => expect(alert()).not.toBeNull());
    expect(alert()?.firstChild?.textContent).toBe(NOT_LOADED);
    expect(root.querySelector('a')?.href).toBe('mailto:help@example.com');
    expect(errors).toEqual([{ code: 'PANEL_NOT_LOADED', message: NOT_LOADED }]);
    expect(reported).toHaveLength(1);
  });

  it('loads the panel again on the next click after a failure', async () => {
    const { button, alert, countLoads, commands, fail, succeed } = draw();
    for (const attempt of [1, 2]) {
      button().click();
      expect(alert()).toBeNull();
      expect(countLoads()).toBe(attempt);
      fail();
      await vi.waitFor(() => expect(alert()).not.toBeNull());
    }
    button().click();
    succeed();
    await vi.waitFor(() => expect(commands).toEqual(['toggle']));
    expect(countLoads()).toBe(3);
    expect(alert()).toBeNull();
  });

  it('does not show before a click that the panel cannot be loaded', async () => {
    const { button, alert, countLoads, fail } = draw();
    button().dispatchEvent(new PointerEvent('pointerenter'));
    fail();
    await vi.waitFor(() => {
      button().dispatchEvent(new PointerEvent('pointerenter'));
      expect(countLoads()).toBe(2);
    });
    expect(alert()).toBeNull();
    expect(reported).toEqual([]);
  });

  it('has a button to load the panel again if the chat fills the window', async () => {
    const { button, alert, commands, fail, succeed } = draw({ renderMode: 'fullscreen' });
    fail();
    await vi.waitFor(() => expect(alert()).not.toBeNull());
    expect(button().checkVisibility()).toBe(true);
    button().click();
    succeed();
    await vi.waitFor(() => expect(commands).toEqual(['toggle']));
    expect(button().checkVisibility()).toBe(false);
  });
});

describe('destroy', () => {
  it('leaves no listener on the page after destroy', async () => {
    const { widget, button, getParts } = draw({}, createFakeLoader(true));
    const heard: unknown[] = [];
    widget.on('open', () => heard.push('open'));
    await widget.open();
    expect(button()).not.toBeNull();
    const { emitter } = getParts();
    await widget.destroy();
    emitter.emit('open', undefined);
    expect(heard).toEqual([]);
  });

  it('draws nothing, and shows the visitor nothing, after destroy during a load', async () => {
    const { widget, alert, button, commands, succeed } = draw();
    const opened = expect(widget.open()).rejects.toThrow('destroyed');
    button().click();
    const destroyed = widget.destroy();
    succeed();
    await Promise.all([opened, destroyed]);
    expect(alert()).toBeNull();
    expect(commands).toEqual([]);
    expect(reported).toEqual([]);
  });

  it('reports no error when it is destroyed while it loads a stored conversation', async () => {
    const request = indexedDB.open('natter');
    await new Promise((resolve, reject) => {
      request.onsuccess = resolve;
      request.onerror = reject;
    });
    request.result.close();
    const { widget, commands, countLoads, succeed } = draw();
    await vi.waitFor(() => expect(countLoads()).toBe(1));
    const destroyed = widget.destroy();
    succeed();
    await destroyed;
    await new Promise((resolve) => setTimeout(resolve));
    expect(commands).toEqual([]);
    expect(reported).toEqual([]);
    await new Promise((resolve) => (indexedDB.deleteDatabase('natter').onsuccess = resolve));
  });

  it('rejects every command after destroy', async () => {
    const { widget, commands } = draw({}, createFakeLoader(true));
    await widget.open();
    await widget.destroy();
    for (const command of ['open', 'showLauncher', 'hideLauncher'] as const)
      await expect(widget[command]()).rejects.toThrow('destroyed');
    expect(commands).toEqual(['open', 'destroy']);
  });
});

it('shares nothing between two widgets on one page', async () => {
  const first = draw({ accent: 'teal' }, createFakeLoader(true));
  const second = draw({}, createFakeLoader(true));
  const heard: string[] = [];
  first.widget.on('unread', () => heard.push('first'));
  second.widget.on('unread', () => heard.push('second'));
  await first.widget.open();
  await second.widget.close();
  first.getParts().emitter.emit('unread', { count: 1 });
  expect(heard).toEqual(['first']);
  expect(first.commands).toEqual(['open']);
  expect(second.commands).toEqual(['close']);
  expect(second.host.style.getPropertyValue('--natter-accent')).toBe('');
  await first.widget.destroy();
  expect(second.button().checkVisibility()).toBe(true);
  await second.widget.open();
  expect(second.button().getAttribute('aria-expanded')).toBe('true');
});

it.each(['0b6e75', 'bleu', '#12345', 'red; color: blue'])(
  'has the default colour if its accent is %j',
  async (accent) => {
    const { host, widget, button } = draw({ accent }, createFakeLoader(true));
    expect(getComputedStyle(button()).backgroundColor).toBe('rgb(17, 102, 170)');
    expect(host.style.getPropertyValue('--natter-accent')).toBe('');
    await widget.update({ accent: 'light-dark(teal, navy)' });
    expect(host.style.getPropertyValue('--natter-accent')).toBe('light-dark(teal, navy)');
    await widget.update({ accent: 'var(--brand, teal)' });
    expect(getComputedStyle(button()).backgroundColor).toBe('rgb(0, 128, 128)');
  },
);

it('has a visible icon if its accent is translucent', () => {
  const { button } = draw({ accent: 'rgb(0 0 0 / 0.3)' }, createFakeLoader(true));
  expect(getComputedStyle(button()).color).toBe('oklch(1 0 0)');
});
