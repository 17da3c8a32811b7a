import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { systemClock } from '../../kit/clock.ts';
import { DEFAULT_MESSAGING_LIMITS } from '../messaging-limits.ts';
import { ByteAllowance } from './byte-allowance.ts';
import { SocketReading } from './socket-reading.ts';

const TOTAL_BYTES = 1_048_576;
const CHUNK_BYTES = 65_536;

/** Sends the same data to several sockets, and returns the bytes that `SocketReading` read in each event loop turn. */
async function readBytes(sockets: number): Promise<readonly (readonly Buffer[])[]> {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const turns: Buffer[][] = [[]];
  let open = sockets;
  const nextTurn = (): void => {
    turns.push([]);
    if (open > 0) setImmediate(nextTurn);
  };
  const pairs: (readonly [client: Socket, socket: Socket, reading: SocketReading])[] = [];
  while (pairs.length < sockets) {
    const connected = once(server, 'connection');
    const client = connect({ port, host: '127.0.0.1' });
    const [socket] = (await connected) as [Socket];
    const ws = {
      OPEN: WebSocket.OPEN,
      readyState: WebSocket.OPEN,
      pause: () => void socket.pause(),
      resume: () => void socket.resume(),
      terminate: () => void socket.destroy(),
    };
    const options = { clock: systemClock, limits: DEFAULT_MESSAGING_LIMITS };
    const reading = new SocketReading({
      ...options,
      ws,
      allowance: new ByteAllowance(options),
      onFlood: () => {},
    });
    // The system's buffers fill before the first byte is read.
    client.end(Buffer.alloc(TOTAL_BYTES));
    pairs.push([client, socket, reading]);
  }
  const ends = pairs.map(async ([, socket, reading]) => {
    socket.on('data', (chunk: Buffer) => {
      turns.at(-1)?.push(chunk);
      reading.noteChunk(chunk.length);
    });
    await once(socket, 'end');
    open -= 1;
    reading.stop();
  });
  setImmediate(nextTurn);
  for (const [, socket] of pairs) socket.resume();
  await Promise.all(ends);
  for (const [client] of pairs) client.destroy();
  server.close();
  return turns;
}

const sizeOf = (chunks: readonly Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

it('reads at most two chunks of a socket per event loop turn, and eventually all', async () => {
  const turns = await readBytes(1);
  expect(sizeOf(turns.flat())).toBe(TOTAL_BYTES);
  expect(Math.max(...turns.map(sizeOf))).toBeLessThanOrEqual(2 * CHUNK_BYTES);
});

it('reads two sockets with large chunks per event loop turn, and eventually all', async () => {
  const sockets = 12;
  const turns = await readBytes(sockets);
  expect(sizeOf(turns.flat())).toBe(sockets * TOTAL_BYTES);
  // A socket's rate is unknown before its first chunks.
  const firstTurns = turns.findIndex(
    (_, turn) => sizeOf(turns.slice(0, turn).flat()) >= sockets * CHUNK_BYTES,
  );
  const later = turns.slice(firstTurns + 1);
  expect(Math.max(...later.map(sizeOf))).toBeLessThanOrEqual(4 * CHUNK_BYTES);
});

/** A socket with a fake clock, and the calls made on it. */
function openUnderClock() {
  const clock = new FakeClock();
  const advance = (ms: number): void => clock.advance(ms);
  const done: string[] = [];
  let isPaused = false;
  const ws = {
    OPEN: WebSocket.OPEN,
    readyState: WebSocket.OPEN,
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
    },
    terminate: () => void done.push('terminated'),
  };
  const options = { clock, limits: DEFAULT_MESSAGING_LIMITS };
  const allowance = new ByteAllowance(options);
  const reading = new SocketReading({ ...options, ws, allowance, onFlood: () => void done.push('closed') });
  const sendTooMuch = (): void => {
    for (let frames = 0; frames < 1_000; frames += 1) reading.take(10);
  };
  return { advance, allowance, done, paused: () => isPaused, reading, sendTooMuch };
}

it('closes a socket that stays above its allowance for seven seconds, and drops it a second later', () => {
  const { advance, done, sendTooMuch } = openUnderClock();
  let passedMs = 0;
  for (; done.length === 0; passedMs += 250) {
    sendTooMuch();
    if (done.length === 0) advance(250);
  }
  expect(passedMs).toBeGreaterThanOrEqual(7_000);
  expect(passedMs).toBeLessThanOrEqual(8_000);
  expect(done).toEqual(['closed']);
  sendTooMuch();
  advance(999);
  expect(done).toEqual(['closed']);
  advance(1);
  expect(done).toEqual(['closed', 'terminated']);
});

it('reads a socket that stays above its allowance less often, up to once a second', () => {
  const { advance, paused, sendTooMuch } = openUnderClock();
  const pauses: number[] = [];
  while (pauses.length < 5) {
    sendTooMuch();
    for (pauses.push(0); paused(); pauses[pauses.length - 1] = (pauses.at(-1) ?? 0) + 250) advance(250);
  }
  expect(pauses).toEqual([250, 500, 1_000, 1_000, 1_000]);
});

it('resets the pauses after a while within the allowance', () => {
  const { advance, done, sendTooMuch } = openUnderClock();
  for (let bursts = 0; bursts < 200; bursts += 1) {
    sendTooMuch();
    advance(250);
    if (bursts % 5 === 0) advance(1_251);
  }
  expect(done).toEqual([]);
});

it('closes a socket whose session stays above its byte allowance, even if nothing is read from it', () => {
  const { advance, allowance, done, reading } = openUnderClock();
  allowance.take(1_000_000_000);
  reading.take(10);
  for (let pauses = 0; pauses < 28; pauses += 1) advance(250);
  expect(done).toEqual(['closed']);
});
