import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../clock.ts';
import { DEFAULT_MESSAGING_LIMITS } from '../messaging-limits.ts';
import { SocketReading } from './socket-reading.ts';

const TOTAL_BYTES = 4_194_304;

it('reads at most two chunks of a socket in one turn of the event loop, and all of them in the end', async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [socket] = (await connected) as [Socket];
  // What fits waits in the buffers of the system before the first byte is read.
  client.end(Buffer.alloc(TOTAL_BYTES));
  await new Promise((resolve) => setImmediate(resolve));

  const ws = {
    OPEN: WebSocket.OPEN,
    readyState: WebSocket.OPEN,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    terminate: () => void socket.destroy(),
  };
  const reading = new SocketReading({ ws, clock: systemClock, limits: DEFAULT_MESSAGING_LIMITS });
  const bytesPerTurn: number[] = [0];
  let isOver = false;
  const nextTurn = (): void => {
    bytesPerTurn.push(0);
    if (!isOver) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  socket.on('data', (chunk: Buffer) => {
    bytesPerTurn[bytesPerTurn.length - 1] = (bytesPerTurn.at(-1) ?? 0) + chunk.length;
    reading.noteChunk(chunk.length);
  });
  socket.resume();
  await once(socket, 'end');
  isOver = true;
  reading.stop();
  expect(bytesPerTurn.reduce((sum, bytes) => sum + bytes)).toBe(TOTAL_BYTES);
  expect(Math.max(...bytesPerTurn)).toBeLessThanOrEqual(2 * 65_536);
  client.destroy();
  server.close();
});
