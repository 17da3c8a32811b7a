import { createConnection, createServer, type Socket } from 'node:net';

/** What a link does to the bytes that pass it. */
export interface LinkConditions {
  /** Refuses new connections and cuts open ones. */
  readonly isOffline: boolean;
  /** Bytes per second in each direction, null for no limit. */
  readonly bytesPerSecond: number | null;
  /** Added to every chunk, in milliseconds. */
  readonly delayMs: number;
}

/** A TCP link between a browser and the platform that can be made worse, and good again. */
export interface FlakyLink {
  readonly port: number;
  readonly conditions: LinkConditions;
  /** Cuts every open connection once; new ones are let through. */
  drop(): void;
  setConditions(change: Partial<LinkConditions>): void;
  close(): Promise<void>;
}

const GOOD: LinkConditions = { isOffline: false, bytesPerSecond: null, delayMs: 0 };
/** A throttled link hands on what a tenth of a second allows at a time. */
const TICKS_PER_SECOND = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a link on `port` (0 picks a free one) of 127.0.0.1 that leads to wherever `findTarget` says. */
export async function startFlakyLink(findTarget: () => URL, port = 0): Promise<FlakyLink> {
  let conditions = GOOD;
  const sockets = new Set<Socket>();

  /** Hands bytes on in order, under the conditions of the moment. Reading stops while a chunk waits, so nothing piles up. */
  const pipe = async (from: Socket, to: Socket): Promise<void> => {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        if (conditions.delayMs > 0) await pause(conditions.delayMs);
        let rest = chunk;
        while (rest.length > 0) {
          const limit = conditions.bytesPerSecond;
          const size = limit === null ? rest.length : Math.max(1, Math.floor(limit / TICKS_PER_SECOND));
          if (to.destroyed) return;
          to.write(rest.subarray(0, size));
          rest = rest.subarray(size);
          if (rest.length > 0) await pause(1000 / TICKS_PER_SECOND);
        }
      }
      to.end();
    } catch {
      // A cut connection ends the iteration with an error; the other end learns it the same way.
      to.destroy();
    }
  };

  const server = createServer((client) => {
    if (conditions.isOffline) {
      client.resetAndDestroy();
      return;
    }
    const upstream = createConnection({ host: findTarget().hostname, port: Number(findTarget().port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    void pipe(client, upstream);
    void pipe(upstream, client);
  });

  const drop = (): void => {
    for (const socket of [...sockets]) socket.resetAndDestroy();
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The link has no TCP address.');

  return {
    port: address.port,
    get conditions() {
      return conditions;
    },
    drop,
    setConditions: (change) => {
      conditions = { ...conditions, ...change };
      if (conditions.isOffline) drop();
    },
    close: () => {
      drop();
      return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
    },
  };
}
