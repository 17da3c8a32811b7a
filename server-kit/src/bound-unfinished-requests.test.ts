import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boundUnfinishedRequests } from './bound-unfinished-requests.ts';

const MAX = 10;
const PER_TURN = 50;

let server: Server;
const accepted: Socket[] = [];
const peers: Socket[] = [];

beforeEach(async () => {
  // Sockets use real time; only the counting timer is faked.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  server = createServer((request, response) => {
    request.on('end', () => response.end('served')).resume();
  });
  server.keepAliveTimeout = 60_000;
  boundUnfinishedRequests(server, MAX);
  server.on('connection', (socket) => accepted.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.destroy();
  await new Promise((resolve) => server.close(resolve));
  accepted.length = 0;
  vi.useRealTimers();
});

/** Opens connections one by one and resolves with the server's ends. */
async function open(count: number, text = ''): Promise<readonly Socket[]> {
  const { port } = server.address() as AddressInfo;
  const before = accepted.length;
  for (let opened = 0; opened < count; opened += 1) {
    const peer = connect({ port, host: '127.0.0.1' });
    peers.push(peer);
    peer.on('error', () => {}).resume();
    await new Promise((resolve) => peer.once('connect', resolve));
    if (text !== '') peer.write(text);
  }
  await vi.waitUntil(() => accepted.length === before + count);
  return accepted.slice(before);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const countClosed = (sockets: readonly Socket[]): number =>
  sockets.filter(({ destroyed }) => destroyed).length;

/** Returns the highest number closed in one event loop turn, until `total` are closed. */
async function mostPerTurn(sockets: readonly Socket[], total: number): Promise<number> {
  let most = 0;
  for (let closed = countClosed(sockets); closed < total; ) {
    await turn();
    const now = countClosed(sockets);
    most = Math.max(most, now - closed);
    closed = now;
  }
  return most;
}

describe('unfinished requests of one address', () => {
  it("closes an address's oldest unfinished requests above the limit after a second, without another connection", async () => {
    const oldest = await open(3);
    const others = await open(MAX, 'GET / HTTP/1.1\r\n');
    vi.advanceTimersByTime(1_000);
    await vi.waitUntil(() => countClosed(oldest) === 3);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(countClosed(others)).toBe(0);
  });

  it('keeps all unfinished requests that are younger than a second', async () => {
    vi.advanceTimersByTime(500);
    const young = await open(MAX * 3);
    vi.advanceTimersByTime(999);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(countClosed(young)).toBe(0);
    vi.advanceTimersByTime(1_000);
    await vi.waitUntil(() => countClosed(young) === MAX * 2);
  });

  it('keeps a connection that finishes its request before it is closed', async () => {
    const sockets = await open(PER_TURN + 2 * MAX);
    const last = sockets[PER_TURN + MAX - 1];
    vi.advanceTimersByTime(1_000);
    await turn();
    expect(countClosed(sockets)).toBe(PER_TURN);
    const request = { headers: {}, socket: last, on: () => request, resume: () => request };
    server.emit('request', request);
    await vi.waitUntil(() => countClosed(sockets) === PER_TURN + MAX - 1);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(last?.destroyed).toBe(false);
  });

  it('does not count finished requests as unfinished', async () => {
    const finished = await open(MAX * 2, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx');
    await vi.waitUntil(() => finished.every(({ bytesWritten }) => bytesWritten > 0));
    await open(MAX);
    vi.advanceTimersByTime(1_000);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(countClosed(accepted)).toBe(0);
  });

  it.each([
    ['a head', 'GET / HTTP/1.1\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx'],
  ])('counts unfinished requests on kept-alive connections too: %s', async (_name, begun) => {
    const kept = await open(MAX + 3, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitUntil(() => kept.every(({ bytesWritten }) => bytesWritten > 0));
    const before = kept.map(({ bytesRead }) => bytesRead);
    for (const peer of peers) peer.write(begun);
    await vi.waitUntil(() => kept.every(({ bytesRead }, index) => bytesRead > (before[index] ?? 0)));
    vi.advanceTimersByTime(2_000);
    await vi.waitUntil(() => countClosed(kept) === 3);
  });

  it('does not count an unfinished request once its connection is closed', async () => {
    const alive = await open(MAX);
    const gone = await open(3);
    for (const peer of peers.slice(MAX)) peer.destroy();
    await vi.waitUntil(() => gone.every(({ closed }) => closed));
    vi.advanceTimersByTime(1_000);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(countClosed(alive)).toBe(0);
  });

  it('counts no unfinished requests once the server is closed', async () => {
    expect(vi.getTimerCount()).toBe(1);
    await new Promise((resolve) => server.close(resolve));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('closes unfinished requests a few per event loop turn', async () => {
    const sockets = await open(PER_TURN * 4 + MAX);
    vi.advanceTimersByTime(1_000);
    expect(await mostPerTurn(sockets, PER_TURN * 4)).toBeLessThanOrEqual(PER_TURN);
  });
});

describe('connections that their peers end at once', () => {
  it('closes connections that their peers end at once a few per event loop turn', async () => {
    const sockets = await open(PER_TURN * 4, 'GET / HTTP/1.1\r\n');
    for (const peer of peers) peer.destroy();
    expect(await mostPerTurn(sockets, sockets.length)).toBeLessThanOrEqual(PER_TURN);
  });

  it('does not end a connection twice that closes while it waits', async () => {
    // Added before all others, like Node's own listener.
    const onEnd = vi.fn();
    server.prependListener('connection', (socket) => socket.on('end', onEnd));
    const [socket] = await open(1, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitUntil(() => (socket?.bytesWritten ?? 0) > 0);
    socket?.emit('end');
    socket?.destroy();
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('answers a complete request of a peer that ends its connection', async () => {
    const { port } = server.address() as AddressInfo;
    const peer = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    peers.push(peer);
    let received = '';
    peer.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    peer.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise((resolve) => peer.once('end', resolve));
    expect(received).toContain('served');
  });

  it("leaves an upgraded connection that its peer ends to the upgrade's handler", async () => {
    const upgraded = new Promise<Socket>((resolve) => {
      server.once('upgrade', (_request, socket) => resolve(socket as Socket));
    });
    const [ended] = await open(1, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    const socket = await upgraded;
    expect(socket).toBe(ended);
    // The oldest connection, but without an unfinished request.
    await open(MAX);
    vi.advanceTimersByTime(1_000);
    socket.resume();
    const end = new Promise((resolve) => socket.once('end', resolve));
    peers[0]?.end();
    await end;
    for (let turns = 0; turns < 5; turns += 1) await turn();
    // The handler responds although its peer has half-closed.
    expect(socket.writable).toBe(true);
    socket.destroy();
  });
});
