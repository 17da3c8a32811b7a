import { afterEach, expect, it, vi } from 'vitest';
import { createDefaultPorts } from './default-ports.ts';
import { createChatClient } from './index.ts';

afterEach(() => vi.unstubAllGlobals());

it('can be imported, created and destroyed without a page', () => {
  const chat = createChatClient({ endpoint: 'https://chat.test' });
  expect(chat.connection.value).toEqual({ status: 'idle' });
  expect(chat.messages.value).toEqual([]);
  chat.destroy();
});

it('rejects a start without WebSocket with instructions to provide one', async () => {
  const { WebSocket } = globalThis;
  vi.stubGlobal('WebSocket', undefined);
  const fetching = vi.fn();
  vi.stubGlobal('fetch', fetching);
  const chat = createChatClient({ endpoint: 'https://chat.test' });
  await expect(chat.start()).rejects.toThrow(/no WebSocket here.*Node 22.*ports:.*WebSocket/);
  expect(fetching).not.toHaveBeenCalled();
  chat.destroy();
  const given = createChatClient({
    endpoint: 'https://chat.test',
    ports: { WebSocket },
  });
  await given.start();
  expect(fetching).toHaveBeenCalled();
  given.destroy();
});

it('uses the global WebSocket by default', async () => {
  const fetching = vi.fn();
  vi.stubGlobal('fetch', fetching);
  const chat = createChatClient({ endpoint: 'https://chat.test' });
  await chat.start();
  expect(fetching).toHaveBeenCalled();
  chat.destroy();
});

it('shares tabs only on a page with locks and channels', () => {
  const page = { navigator: { locks: {} }, document: {}, BroadcastChannel: class {} };
  const hasTabs = (globals: object): boolean => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const { tabs } = createDefaultPorts();
    vi.unstubAllGlobals();
    return tabs !== null;
  };
  expect(hasTabs(page)).toBe(true);
  expect(hasTabs({ ...page, navigator: {} })).toBe(false);
  expect(hasTabs({ ...page, BroadcastChannel: undefined })).toBe(false);
  const { document: _, ...worker } = page;
  expect(hasTabs(worker)).toBe(false);
});

it('listens in the capture phase, because the page may stop an event', () => {
  const listen = vi.fn();
  vi.stubGlobal('addEventListener', listen);
  createDefaultPorts().environment.onChange(() => {});
  expect(listen.mock.calls.map(([type]) => type)).toContain('visibilitychange');
  for (const [, , options] of listen.mock.calls) expect(options).toMatchObject({ capture: true });
});

it('reports changes of page and network until unsubscribed', () => {
  const page = new EventTarget();
  const connection = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('navigator', { onLine: true, connection });
  const changes: string[] = [];
  const stop = createDefaultPorts().environment.onChange((change) => changes.push(change));
  const events = [
    'online',
    'offline',
    'visibilitychange',
    'pagehide',
    'pageshow',
    'freeze',
    'resume',
    'change',
  ];
  for (const type of events) page.dispatchEvent(new Event(type));
  expect(changes).toEqual(['online', 'offline', 'visible', 'suspended', 'resumed', 'suspended', 'resumed']);
  connection.dispatchEvent(new Event('change'));
  expect(changes.slice(7)).toEqual(['online']);
  stop();
  for (const type of events) page.dispatchEvent(new Event(type));
  connection.dispatchEvent(new Event('change'));
  expect(changes).toHaveLength(8);
});
