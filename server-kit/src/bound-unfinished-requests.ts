import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { toAddressKey } from '@natter/sdk';
import { workInTurns } from './work-in-turns.ts';

// How often the connections are counted.
const COUNT_EVERY_MS = 1_000;
// Closing a connection takes 30 to 80 µs. Fifty delay other connections by less than 5 ms.
const CLOSED_PER_TURN = 50;
// An honest client completes its request within milliseconds. After a restart thousands may arrive at once through one
// proxy.
const MIN_AGE_MS = 1_000;

/**
 * Limits each address's connections with an unfinished request: those older than a second are closed, oldest first,
 * down to the limit. A few connections are closed per event loop turn, including those that their peers end.
 */
export function boundUnfinishedRequests(server: Server, maxPerAddress: number): void {
  // Arrival times of the connections of each address, on a monotonic clock, oldest first.
  const unfinished = new Map<string, Map<Socket, number>>();
  // The other connections: how much each had read when its last request was finished.
  const finished = new Map<Socket, number>();
  const addresses = new WeakMap<Socket, string>();
  const endings = new WeakMap<Socket, () => void>();
  const enqueue = workInTurns(CLOSED_PER_TURN);
  const isUnfinished = (socket: Socket): boolean =>
    unfinished.get(addresses.get(socket) ?? '')?.has(socket) === true;
  const begin = (socket: Socket): void => {
    const address = addresses.get(socket) ?? '';
    const sockets = unfinished.get(address) ?? new Map<Socket, number>();
    unfinished.set(address, sockets.set(socket, performance.now()));
    finished.delete(socket);
  };
  const forget = (socket: Socket): void => {
    const address = addresses.get(socket) ?? '';
    const sockets = unfinished.get(address);
    sockets?.delete(socket);
    if (sockets?.size === 0) unfinished.delete(address);
    finished.delete(socket);
  };
  const finish = (socket: Socket): void => {
    forget(socket);
    if (!socket.destroyed) finished.set(socket, socket.bytesRead);
  };
  server.on('connection', (socket) => {
    addresses.set(socket, toAddressKey(socket.remoteAddress ?? '') ?? '');
    begin(socket);
    socket.once('close', () => forget(socket));
    endings.set(socket, delayEnd(socket, enqueue, isUnfinished));
  });
  server.on('upgrade', ({ socket }) => {
    forget(socket);
    // Node has removed its own listeners, so the upgrade handler ends this connection.
    const onEnd = endings.get(socket);
    if (onEnd !== undefined) socket.off('end', onEnd);
  });
  server.on('request', (request) => {
    const { headers, socket } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody) request.once('end', () => finish(socket));
    else finish(socket);
  });
  const count = (): void => {
    // The next request of a kept connection is announced by nothing but its bytes.
    for (const [socket, bytes] of finished) if (socket.bytesRead > bytes) begin(socket);
    closeOldest();
  };
  const closeOldest = (): void => {
    const bornBeforeMs = performance.now() - MIN_AGE_MS;
    for (const sockets of unfinished.values()) {
      let excess = sockets.size - maxPerAddress;
      for (const [socket, sinceMs] of sockets) {
        if (excess <= 0 || sinceMs > bornBeforeMs) break;
        excess -= 1;
        enqueue(() => {
          if (isUnfinished(socket)) socket.destroy();
        });
      }
    }
  };
  server.once('listening', () => {
    const timer = setInterval(count, COUNT_EVERY_MS).unref();
    server.once('close', () => clearInterval(timer));
  });
}

/** Queues Node's own listeners when a peer has half-closed; returns the listener that does so. */
function delayEnd(
  socket: Socket,
  enqueue: (close: () => void) => void,
  isUnfinished: (socket: Socket) => boolean,
): () => void {
  const listeners = socket.listeners('end');
  socket.removeAllListeners('end');
  const onEnd = (): void =>
    enqueue(() => {
      // The parser of a closed connection already serves another one.
      if (socket.destroyed) return;
      // Node's listener would answer the incomplete request with 400.
      if (isUnfinished(socket)) socket.destroy();
      else for (const listener of listeners) listener.call(socket);
    });
  socket.once('end', onEnd);
  return onEnd;
}
