import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeLoader } from '../../test/widget/fake-conversation.ts';
import { provideWebchatApi } from './compat.ts';
import { createWidget } from './create-widget.ts';

const hosts: HTMLElement[] = [];
beforeEach(() => {
  // A conversation that another page has stored would be resumed, with one more command.
  sessionStorage.clear();
  vi.spyOn(indexedDB, 'databases').mockResolvedValue([]);
});
afterEach(() => {
  delete window.WebchatAPI;
  for (const host of hosts.splice(0)) host.remove();
  vi.restoreAllMocks();
});

function draw() {
  const host = document.createElement('natter-chat');
  hosts.push(host);
  document.body.append(host);
  const loader = createFakeLoader(true);
  const widget = createWidget(host, {}, loader.load, () => import('./loader/early.ts'));
  const button = host.shadowRoot?.querySelector('button');
  return { ...loader, widget, isShown: () => button?.checkVisibility() };
}

it('maps every documented call of the reference widget to ours, and returns nothing', async () => {
  const { widget, commands, isShown } = draw();
  provideWebchatApi(widget);
  const api = window.WebchatAPI;
  if (!api) throw new Error('There is no WebchatAPI.');
  const handler = () => 'a.b.c';
  const given = [
    api.openWidget(),
    api.hideIcon(),
    api.showBubble({ message: 'Hi', duration: 500 }),
    api.showBubble({ text: 'Hello', delayMs: 5 }),
    api.animateIcon({ type: 'grow', durationMs: 100 }),
    api.onContextRequired(handler),
    api.refreshVerifiedContext(),
  ];
  expect(given).toEqual(given.map(() => undefined));
  await vi.waitFor(() => expect(commands).toHaveLength(7));
  expect(commands.toSorted()).toEqual([
    'animateLauncher {"type":"grow","durationMs":100}',
    'onContextRequired',
    'open',
    'refreshVerifiedContext',
    'showBubble {"text":"Hello","durationMs":0,"delayMs":5}',
    'showBubble {"text":"Hi","durationMs":500,"delayMs":0}',
    'update {"showLauncher":false}',
  ]);
  expect(isShown()).toBe(false);
  api.showIcon();
  expect(isShown()).toBe(true);
});

it('calls onReady handlers when the widget is ready, unless they were removed', async () => {
  const { widget } = draw();
  provideWebchatApi(widget);
  const api = window.WebchatAPI;
  const called: unknown[] = [];
  const unwanted = () => called.push('unwanted');
  api?.onReady((ready) => called.push(ready));
  api?.onReady(unwanted);
  api?.off(unwanted);
  await vi.waitFor(() => expect(called).toEqual([api]));
});

it('leaves the global WebchatAPI to a script that has set it', () => {
  const { widget } = draw();
  const theirs = {} as NonNullable<typeof window.WebchatAPI>;
  window.WebchatAPI = theirs;
  provideWebchatApi(widget)();
  expect(window.WebchatAPI).toBe(theirs);
});

it('destroys the widget and removes the global WebchatAPI', async () => {
  const { widget } = draw();
  provideWebchatApi(widget);
  window.WebchatAPI?.destroy();
  expect(window.WebchatAPI).toBeUndefined();
  await expect(widget.open()).rejects.toThrow('destroyed');
});

it('waits as a script for the widget of the page, whichever loads first', async () => {
  const { widget } = draw();
  Reflect.deleteProperty(window, 'Natter');
  await import('./loader/compat-script.ts');
  const calls: unknown = window.Natter;
  if (!Array.isArray(calls)) throw new Error('There is no list of calls.');
  expect(window.WebchatAPI).toBeUndefined();
  for (const call of calls) call(widget);
  expect(window.WebchatAPI).toBeDefined();
  await widget.destroy();
  expect(window.WebchatAPI).toBeUndefined();
  Reflect.deleteProperty(window, 'Natter');
});
