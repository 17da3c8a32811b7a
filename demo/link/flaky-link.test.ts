import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type FlakyLink, startFlakyLink } from './flaky-link.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A server of frames whose end of each connection the test holds. */
async function startFrameServer(): Promise<{
  readonly port: number;
  readonly peers: WebSocket[];
  received: string[];
}> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const peers: WebSocket[] = [];
  const received: string[] = [];
  server.on('connection', (peer) => {
    peers.push(peer);
    peer.on('error', () => {});
    peer.on('message', (data) => received.push(String(data)));
  });
  cleanups.push(() => {
    for (const peer of peers) peer.terminate();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { port: address.port, peers, received };
}

async function linkTo(port: number): Promise<FlakyLink> {
  const link = await startFlakyLink({ host: '127.0.0.1', port });
  cleanups.push(() => link.close());
  return link;
}

interface Client {
  readonly ws: WebSocket;
  readonly texts: string[];
  readonly closed: Promise<number>;
}

async function connect(link: FlakyLink): Promise<Client> {
  const ws = new WebSocket(`ws://127.0.0.1:${link.port}/ws`, { perMessageDeflate: false });
  cleanups.push(() => ws.terminate());
  const texts: string[] = [];
  ws.on('message', (data) => texts.push(String(data)));
  ws.on('error', () => {});
  const closed = new Promise<number>((resolve) => ws.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  return { ws, texts, closed };
}

async function setUp(): Promise<Client & { link: FlakyLink; peer: WebSocket; received: string[] }> {
  const server = await startFrameServer();
  const link = await linkTo(server.port);
  const client = await connect(link);
  const [peer] = server.peers;
  if (!peer) throw new Error('The server has not seen the client.');
  return { ...client, link, peer, received: server.received };
}

const until = async (isTrue: () => boolean): Promise<void> => {
  const givenUpAt = performance.now() + 20_000;
  while (!isTrue()) {
    if (performance.now() > givenUpAt) throw new Error(`This never became true: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

/** Long enough for a frame to cross a good link many times. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

describe('a good link', () => {
  it('a good link forwards frames of every length in both directions', async () => {
    const { ws, texts, peer, received } = await setUp();
    const messages = [0, 1, 125, 126, 65_535, 65_536, 400_000].map((length) => 'x'.repeat(length));
    for (const text of messages) {
      ws.send(text);
      peer.send(text);
    }
    await until(() => received.length === messages.length && texts.length === messages.length);
    expect(received).toEqual(messages);
    expect(texts).toEqual(messages);
  });

  it('a good link forwards the code of a close', async () => {
    const { peer, closed } = await setUp();
    peer.close(1001, 'going away');
    expect(await closed).toBe(1001);
  });

  it('a good link slows down a sender whose reader is slow', async () => {
    const { ws, peer } = await setUp();
    ws.pause();
    const frame = 'x'.repeat(500_000);
    for (let sent = 0; sent < 40; sent++) peer.send(frame);
    await settle();
    expect(peer.bufferedAmount).toBeGreaterThan(1_000_000);
    ws.resume();
    await until(() => peer.bufferedAmount === 0);
  });
});

describe('a link that drops', () => {
  it('a dropped link resets open connections and accepts new ones', async () => {
    const { link, closed } = await setUp();
    link.drop();
    expect(await closed).toBe(1006);
    expect((await connect(link)).ws.readyState).toBe(WebSocket.OPEN);
  });

  it('a refusing link rejects new connections without touching open ones', async () => {
    const { link, peer, texts } = await setUp();
    link.setConditions({ isRefusing: true });
    await expect(connect(link)).rejects.toThrow();
    peer.send('still here');
    await until(() => texts.length === 1);
    link.heal();
    await connect(link);
  });

  it('a link resets a client whose server cannot be reached', async () => {
    const link = await linkTo(1);
    await expect(connect(link)).rejects.toThrow();
  });

  it('a link leads new connections to another server after `retarget`', async () => {
    const { link, received } = await setUp();
    const other = await startFrameServer();
    link.retarget({ host: '127.0.0.1', port: other.port });
    (await connect(link)).ws.send('hello');
    await until(() => other.received.length === 1);
    expect(received).toEqual([]);
  });
});

describe('a half-open link', () => {
  it('a half-open link keeps sockets open and forwards the waiting bytes later', async () => {
    const { link, ws, texts, peer, received } = await setUp();
    link.setConditions({ stalled: 'toClient' });
    peer.send('late');
    ws.send('at once');
    await until(() => received.length === 1);
    await settle();
    expect(texts).toEqual([]);
    expect(ws.readyState).toBe(WebSocket.OPEN);
    link.heal();
    await until(() => texts.length === 1);
  });

  it('a half-open link hides the end of a connection from the other side', async () => {
    const { link, ws, peer } = await setUp();
    link.setConditions({ stalled: 'both' });
    peer.terminate();
    await settle();
    expect(ws.readyState).toBe(WebSocket.OPEN);
    link.heal();
    await until(() => ws.readyState === WebSocket.CLOSED);
  });

  it('a deafened connection stays deaf for good, while new connections work', async () => {
    const { link, ws, texts, peer, received } = await setUp();
    link.deafen('both');
    peer.send('never');
    ws.send('never');
    link.heal();
    await settle();
    expect([texts, received]).toEqual([[], []]);
    (await connect(link)).ws.send('works');
    await until(() => received.length === 1);
  });
});

describe('a slow link', () => {
  it('a slow link adds its delay to every frame and keeps their order', async () => {
    const { link, peer, texts } = await setUp();
    const startedAt = performance.now();
    link.setConditions({ delayMs: 80 });
    peer.send('one');
    peer.send('two');
    await new Promise((resolve) => setTimeout(resolve, 20));
    link.setConditions({ delayMs: 0 });
    peer.send('three');
    await until(() => texts.length === 3);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(79);
    expect(texts).toEqual(['one', 'two', 'three']);
  });

  it('a slow link forwards at most 50 kbit per second', async () => {
    const { link, peer, texts } = await setUp();
    link.setConditions({ bytesPerSecond: 6_250 });
    const startedAt = performance.now();
    peer.send('x'.repeat(2_500));
    await until(() => texts.length === 1);
    expect(performance.now() - startedAt).toBeGreaterThan(300);
  });
});

describe('a link that tampers with frames', () => {
  it('a link doubles as many text frames as requested', async () => {
    const { link, peer, texts } = await setUp();
    link.duplicate(2);
    for (const text of ['a', 'b', 'c']) peer.send(text);
    await until(() => texts.length === 5);
    expect(texts).toEqual(['a', 'a', 'b', 'b', 'c']);
    expect(link.tampered.duplicated).toBe(2);
  });

  it('a link swaps text frames', async () => {
    const { link, peer, texts } = await setUp();
    link.swap(1);
    for (const text of ['a', 'b', 'c']) peer.send(text);
    await until(() => texts.length === 3);
    expect(texts).toEqual(['b', 'a', 'c']);
  });

  it('a link sends a frame alone when no other frame follows to swap with', async () => {
    const { link, peer, texts } = await setUp();
    link.swap(1);
    peer.send('alone');
    await until(() => texts.length === 1);
    expect(link.tampered.swapped).toBe(0);
  });

  it.each(['toClient', 'toServer'] as const)('a link breaks within a frame %s', async (direction) => {
    const { link, ws, texts, peer, received, closed } = await setUp();
    const peerClosed = new Promise((resolve) => peer.once('close', resolve));
    link.cutInsideFrame(direction);
    (direction === 'toClient' ? peer : ws).send('never whole');
    expect(await closed).toBe(1006);
    await peerClosed;
    expect([...texts, ...received]).toEqual([]);
    expect(link.tampered.cut).toBe(1);
  });
});

it('a link forwards bytes that are not a WebSocket unchanged', async () => {
  const received: Buffer[] = [];
  const server: Server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      socket.end('HTTP/1.1 200 OK\r\n\r\n\x81\x01a');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const link = await linkTo(address.port);
  link.duplicate(5);
  const response = await fetch(`http://127.0.0.1:${link.port}/`, { method: 'POST', body: '\x81\x01a' });
  expect(await response.text()).toBe('\x81\x01a');
  expect(Buffer.concat(received).toString('latin1')).toContain('POST / HTTP/1.1');
});
