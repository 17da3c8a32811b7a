import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createHttpServer } from './create-http-server.ts';

const LIMITS = {
  requestHeadersMs: 10_000,
  requestMs: 10_000,
  keepAliveMs: 10_000,
  maxHeaderBytes: 16_384,
  silentConnectionMs: 0,
  maxUnfinishedRequests: 100,
};
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

let server: Server;
let peer: Socket;
let received = '';
const taken: ServerResponse[] = [];

beforeEach(async () => {
  server = createHttpServer(
    { onRequest: (_, response) => taken.push(response), handshakes: null, onUnreadable: () => {} },
    LIMITS,
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  peer = connect((server.address() as AddressInfo).port, '127.0.0.1');
  peer.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  // A server that closes a connection with unread bytes resets it.
  peer.on('error', () => {});
});
afterEach(async () => {
  peer.destroy();
  await new Promise((resolve) => server.close(resolve));
  taken.length = 0;
  received = '';
});

it('answers a hundred requests that wait on one connection', async () => {
  peer.write(REQUEST.repeat(101));
  for (let answered = 0; answered < 101; answered += 1) {
    await vi.waitUntil(() => taken.length > answered, { interval: 1 });
    taken[answered]?.end('served');
  }
  await vi.waitUntil(() => received.split('served').length - 1 === 101, { interval: 1 });
});

it('closes a connection on which more than a hundred requests wait', async () => {
  peer.write(REQUEST.repeat(102));
  await new Promise((resolve) => peer.once('close', resolve));
  expect(taken).toHaveLength(1);
});
