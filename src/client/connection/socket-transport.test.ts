import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { settle, until } from '../../../test/chat-harness.ts';
import type { NextPaint } from '../ports.ts';
import { createGuardedSocketClass } from './guarded-socket.ts';
import { createSocketTransport } from './socket-transport.ts';
import type { Transport } from './transport.ts';

const HELLO = { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'hi' }, custom: null } as const;
const TOKEN = 'secret-token';

interface Server {
  readonly url: string;
  /** Sockets that were opened, in order. */
  readonly peers: ServerSocket[];
  readonly texts: string[];
  /** Requests for a socket, refused ones included. */
  readonly requests: { count: number };
  /** Number of further refused requests. */
  refusals: number;
}

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function startServer(): Promise<Server> {
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const peers: ServerSocket[] = [];
  const texts: string[] = [];
  const requests = { count: 0 };
  http.on('upgrade', (request, socket, head) => {
    requests.count += 1;
    if (server.refusals > 0) {
      server.refusals -= 1;
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (peer) => {
      peers.push(peer);
      peer.on('message', (data) => texts.push(String(data)));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  // A TCP server's address is an object with a port.
  const { port } = http.address() as AddressInfo;
  cleanups.push(async () => {
    for (const peer of sockets.clients) peer.terminate();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const url = `ws://127.0.0.1:${port}/ws?access_token=${TOKEN}`;
  const server: Server = { url, peers, texts, requests, refusals: 0 };
  return server;
}

interface Rig {
  readonly transport: Transport;
  readonly log: string[];
  /** Close codes and reasons that `stop` and the guarded class passed to native sockets. */
  readonly closes: number[];
  /** Sockets of the platform's class, in order. */
  readonly natives: WebSocket[];
}

interface RigOptions {
  readonly url: () => string;
  readonly native?: typeof WebSocket;
  readonly nextPaint?: NextPaint;
  readonly onClose?: (own: Transport) => void;
}

function rig({ url, native = WebSocket, nextPaint, onClose }: RigOptions): Rig {
  const log: string[] = [];
  const closes: number[] = [];
  const natives: WebSocket[] = [];
  class Watched extends native {
    constructor(address: string | URL) {
      super(address);
      natives.push(this);
    }
    override close(code?: number): void {
      if (this.readyState < WebSocket.CLOSING) closes.push(code ?? 0);
      super.close(code);
    }
  }
  const Socket = createGuardedSocketClass(Watched);
  const transport = createSocketTransport(
    { Socket, url, vocabulary: () => 'neutral', nextPaint: nextPaint ?? null, isPaced: () => true },
    {
      onOpen: () => log.push('open'),
      onFrames: (frames) => log.push(frames.map(({ text }) => text).join('+')),
      onUnreadable: () => log.push('unreadable'),
      onClose: (code) => {
        log.push(`close ${code}`);
        onClose?.(transport);
      },
    },
  );
  cleanups.push(() => transport.stop(1000));
  return { transport, log, closes, natives };
}

/** Returns everything that Node would report as an unhandled rejection during `run`. */
async function rejectionsOf(run: () => Promise<void>): Promise<unknown[]> {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  await run();
  await settle();
  process.off('unhandledRejection', note);
  return rejections;
}

/** Sockets that open or fail on request. */
class Mute extends EventTarget {
  static readonly made: Mute[] = [];
  readyState = 0;
  constructor() {
    super();
    Mute.made.push(this);
  }
  close(): void {
    this.readyState = 3;
  }
}
// Only the members that the transport uses on a socket that never opens.
const MuteSocket = Mute as unknown as typeof WebSocket;

describe('the socket transport', () => {
  it('opens, carries frames in both directions and reports the close', async () => {
    const server = await startServer();
    const one = rig({ url: () => server.url });
    expect(one.transport.send(HELLO)).toBe(false);
    one.transport.start();
    await until(() => one.log.includes('open') && server.peers.length === 1);
    expect(one.transport.send(HELLO)).toBe(true);
    server.peers[0]?.send('words');
    server.peers[0]?.send(new Uint8Array([1]));
    await until(() => server.texts.length === 1 && one.log.length === 3);
    expect(JSON.parse(server.texts[0] ?? '').payload).toEqual({ text: 'hi' });
    server.peers[0]?.close(4999);
    await until(() => one.log.length === 4);
    expect(one.log).toEqual(['open', 'words', 'unreadable', 'close 4999']);
  });

  it('reports queued frames before a close, and before it is stopped', async () => {
    const server = await startServer();
    const one = rig({ url: () => server.url, nextPaint: () => {} });
    one.transport.start();
    await until(() => server.peers.length === 1);
    for (const text of ['1', '2', '3']) server.peers[0]?.send(text);
    server.peers[0]?.close(4999);
    await until(() => one.log.length === 4);
    expect(one.log).toEqual(['open', '1', '2+3', 'close 4999']);
    one.transport.start();
    await until(() => server.peers.length === 2);
    const received: unknown[] = [];
    one.natives[1]?.addEventListener('message', ({ data }) => received.push(data));
    for (const data of ['4', '5', new Uint8Array([1]), '6']) server.peers[1]?.send(data);
    await until(() => received.length === 4);
    one.transport.stop(1000);
    expect(one.log.slice(4)).toEqual(['open', '4+5', 'unreadable', '6']);
  });

  it("reports a refused handshake with its own code, not with the library's 1000", async () => {
    const server = await startServer();
    server.refusals = 1;
    const one = rig({ url: () => server.url });
    one.transport.start();
    await until(() => one.log.length > 0);
    await settle();
    expect(one.log).toEqual(['close 1006']);
  });

  it.each([1000, 1001, 1011, 4000, 4001, 4003])(
    'opens no socket after a close with %i until it is started again, and then one',
    async (code) => {
      const server = await startServer();
      const one = rig({ url: () => server.url });
      one.transport.start();
      await until(() => server.peers.length === 1);
      server.peers[0]?.close(code);
      await until(() => one.log.includes(`close ${code}`));
      await settle();
      expect(server.requests.count).toBe(1);
      one.transport.start();
      await until(() => server.peers.length === 2);
      await settle();
      expect(server.requests.count).toBe(2);
    },
  );

  it('requests no address if stopped while the close was reported', async () => {
    const server = await startServer();
    let asked = 0;
    const url = (): string => {
      asked += 1;
      return server.url;
    };
    const one = rig({ url, onClose: (own) => own.stop(1000) });
    one.transport.start();
    await until(() => server.peers.length === 1);
    server.peers[0]?.close(1000);
    await until(() => one.log.includes('close 1000'));
    await settle();
    one.transport.start();
    await settle();
    expect([asked, server.requests.count]).toEqual([1, 1]);
  });

  it('opens nothing if stopped before the library has requested the address', async () => {
    const server = await startServer();
    const url = vi.fn(() => server.url);
    const one = rig({ url });
    one.transport.start();
    one.transport.stop(1000);
    await settle();
    expect([url.mock.calls.length, server.requests.count, one.log]).toEqual([0, 0, []]);
  });

  it('opens nothing if stopped while the address is in flight', async () => {
    const server = await startServer();
    const one = rig({
      url: () => {
        one.transport.stop(1000);
        return server.url;
      },
    });
    one.transport.start();
    await settle();
    expect([one.natives.length, server.requests.count]).toEqual([0, 0]);
  });

  it('opens one socket for two starts', async () => {
    const server = await startServer();
    const one = rig({ url: () => server.url });
    one.transport.start();
    one.transport.start();
    await until(() => one.log.includes('open'));
    await settle();
    expect(server.requests.count).toBe(1);
  });

  it('turns a throwing constructor into a close without a rejection, and can be restarted', async () => {
    const server = await startServer();
    let isForbidden = true;
    class Forbidden extends WebSocket {
      constructor(url: string | URL) {
        if (isForbidden) throw new SyntaxError(`The URL '${url}' is not allowed here.`);
        super(url);
      }
    }
    const one = rig({ url: () => server.url, native: Forbidden });
    const rejections = await rejectionsOf(async () => {
      one.transport.start();
      await until(() => one.log.length === 1);
    });
    expect([one.log, rejections]).toEqual([['close 1006'], []]);
    isForbidden = false;
    one.transport.start();
    await until(() => one.log.includes('open'));
  });

  it('turns a failed address request into a close without a rejection, and can be restarted', async () => {
    const server = await startServer();
    let hasSession = false;
    const url = (): string => {
      if (!hasSession) throw new TypeError(`no session for ${TOKEN}`);
      return server.url;
    };
    const one = rig({ url });
    const rejections = await rejectionsOf(async () => {
      one.transport.start();
      await until(() => one.log.length === 1);
    });
    expect([one.log, rejections]).toEqual([['close 1006'], []]);
    hasSession = true;
    one.transport.start();
    await until(() => one.log.includes('open'));
  });

  it('queues nothing to be sent later', async () => {
    const server = await startServer();
    const one = rig({ url: () => server.url });
    one.transport.start();
    expect(one.transport.send(HELLO)).toBe(false);
    await until(() => server.peers.length === 1 && one.log.includes('open'));
    server.peers[0]?.terminate();
    await until(() => one.log.includes('close 1006'));
    expect(one.transport.send(HELLO)).toBe(false);
    one.transport.start();
    await until(() => one.log.filter((line) => line === 'open').length === 2);
    await settle();
    expect(server.texts).toEqual([]);
  });

  it('sets no timeout for a handshake, and closes an abandoned socket only once it is open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const one = rig({ url: () => 'ws://far.test', native: MuteSocket });
    one.transport.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([one.natives.length, one.closes]).toEqual([1, []]);
    one.transport.stop(4002);
    expect([one.log, one.closes]).toEqual([[], []]);
    one.natives[0]?.dispatchEvent(new Event('open'));
    expect([one.log, one.closes]).toEqual([[], [4002]]);
  });

  it('closes a hanging socket when the next one needs its place', () => {
    const closes: number[] = [];
    class Hanging extends Mute {
      override close(code?: number): void {
        closes.push(code ?? 0);
        super.close();
      }
    }
    const Socket = createGuardedSocketClass(Hanging as unknown as typeof WebSocket);
    const first = new Socket('ws://far.test');
    Reflect.get(first, 'close').call(first, 4002);
    expect(closes).toEqual([]);
    new Socket('ws://far.test');
    expect(closes).toEqual([4002]);
  });

  it('reports one close for a socket that fails and then closes', () => {
    const Socket = createGuardedSocketClass(MuteSocket);
    const guarded = new Socket('ws://far.test');
    const codes: unknown[] = [];
    Reflect.get(guarded, 'addEventListener').call(guarded, 'close', ({ code }: CloseEvent) =>
      codes.push(code),
    );
    const native = Mute.made.at(-1);
    native?.dispatchEvent(new Event('error'));
    expect(Reflect.get(guarded, 'readyState')).toBe(3);
    native?.dispatchEvent(Object.assign(new Event('close'), { code: 1006 }));
    expect(codes).toEqual([1006]);
  });

  it('never logs the address', async () => {
    const server = await startServer();
    server.refusals = 1;
    const written: unknown[] = [];
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      const spy = vi.spyOn(console, method).mockImplementation((...words) => void written.push(...words));
      cleanups.push(() => spy.mockRestore());
    }
    const one = rig({ url: () => server.url });
    one.transport.start();
    await until(() => one.log.length === 1);
    one.transport.start();
    await until(() => one.log.includes('open'));
    expect(written).toEqual([]);
  });
});

describe('the library', () => {
  it('never reuses the library after a stop: an instance closed during a wait stays closed', async () => {
    const server = await startServer();
    const first = rig({ url: () => server.url });
    first.transport.start();
    first.transport.stop(1000);
    first.transport.start();
    await settle();
    expect(server.requests.count).toBe(0);
    const second = rig({ url: () => server.url });
    second.transport.start();
    await until(() => second.log.includes('open'));
  });
});
