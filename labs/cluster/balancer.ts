import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

/** A load balancer of connections. */
export interface Balancer {
  readonly port: number;
  /** New connections go to these ports of this machine in turn; those that are open stay. */
  balance(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** Starts a balancer that refuses connections until its targets are set. */
export async function startBalancer(): Promise<Balancer> {
  const open = new Set<Socket>();
  let targets: readonly number[] = [];
  let accepted = 0;
  const server = createServer((client) => {
    const port = targets[accepted % targets.length];
    accepted += 1;
    if (port === undefined) {
      client.resetAndDestroy();
      return;
    }
    const upstream = createConnection({ host: '127.0.0.1', port });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      // The close event that follows ends the other side.
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server on a port has a port.');
  return {
    port: address.port,
    balance(ports) {
      targets = ports;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
