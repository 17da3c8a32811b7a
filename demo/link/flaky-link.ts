import { createConnection, createServer, type Socket } from 'node:net';
import {
  breakSocket,
  covers,
  type LinkClock,
  type LinkConditions,
  type LinkDirection,
  type LinkDirections,
  LinkPipe,
  type LinkState,
} from './link-pipe.ts';

export type { LinkConditions, LinkDirection, LinkDirections } from './link-pipe.ts';

/** Where a link leads. */
export type LinkTarget = { readonly host: string; readonly port: number } | { readonly path: string };

/** A TCP link on a free port of this machine that can be made worse, and good again. */
export interface FlakyLink {
  readonly port: number;
  readonly conditions: LinkConditions;
  /** Connections that are open at either end. */
  readonly connectionCount: number;
  /** Connections that it has accepted since it was started, refused ones left out. */
  readonly acceptedCount: number;
  /** WebSocket text frames that were sent twice, and pairs that changed places, so far. */
  readonly tampered: { readonly duplicated: number; readonly swapped: number; readonly cut: number };
  setConditions(change: Partial<LinkConditions>): void;
  /** Back to a good link. Connections given up with `deafen` stay deaf. */
  heal(): void;
  /** Resets every open connection, once. */
  drop(): void;
  /** Open connections never carry anything this way again; new ones are not affected. */
  deafen(directions: LinkDirections): void;
  /** Sends the next `count` text frames of the server twice. */
  duplicate(count: number): void;
  /** Lets the next `count` text frames of the server change places with the one after them. */
  swap(count: number): void;
  /** Breaks the next connection that carries a WebSocket frame this way in the middle of that frame. */
  cutInsideFrame(direction: LinkDirection): void;
  /** Where connections lead from now on; with several targets, to one after the other. */
  retarget(...targets: readonly LinkTarget[]): void;
  close(): Promise<void>;
}

/** Options of a link. */
export interface FlakyLinkOptions {
  /** Port to listen on. Default 0, a free one. */
  readonly port?: number;
  /** Clock for delays and throttling. Default: the machine's. */
  readonly clock?: LinkClock;
}

const machineClock: LinkClock = {
  now: () => performance.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

const GOOD: LinkConditions = { isRefusing: false, stalled: 'none', delayMs: 0, bytesPerSecond: null };
/** A client's connection to the link with the link's connection to the server. */
class Connection {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #pipes: Readonly<Record<LinkDirection, LinkPipe>>;

  constructor(client: Socket, target: LinkTarget, link: LinkState, onGone: (connection: Connection) => void) {
    this.#client = client;
    this.#upstream = createConnection({ ...target, allowHalfOpen: true });
    this.#pipes = {
      toServer: new LinkPipe(client, this.#upstream, 'toServer', link),
      toClient: new LinkPipe(this.#upstream, client, 'toClient', link),
    };
    for (const socket of [client, this.#upstream]) {
      socket.setNoDelay(true);
      // The close event that follows notifies the other side.
      socket.on('error', () => {});
      socket.on('close', () => {
        if (client.destroyed && this.#upstream.destroyed) onGone(this);
      });
    }
  }

  pump(): void {
    for (const pipe of Object.values(this.#pipes)) pipe.pump();
  }

  deafen(directions: LinkDirections): void {
    if (covers(directions, 'toServer')) this.#pipes.toServer.deafen();
    if (covers(directions, 'toClient')) this.#pipes.toClient.deafen();
  }

  reset(): void {
    for (const pipe of Object.values(this.#pipes)) pipe.stop();
    for (const socket of [this.#client, this.#upstream]) breakSocket(socket);
  }
}

/**
 * Starts a link that leads to `target`: between a client and the platform, or between the platform and its database.
 *
 * Faults of frames need only the bytes: after a WebSocket handshake both directions are cut into frames, of
 * which the server's text frames can be doubled and swapped.
 *
 * @example
 * const link = await startFlakyLink({ host: '127.0.0.1', port });
 * link.setConditions({ bytesPerSecond: 6_250 }); // 50 kbit/s
 * link.drop();
 */
export async function startFlakyLink(target: LinkTarget, options: FlakyLinkOptions = {}): Promise<FlakyLink> {
  const state: LinkState = {
    clock: options.clock ?? machineClock,
    conditions: GOOD,
    duplicates: 0,
    swaps: 0,
    cuts: { toServer: false, toClient: false },
    tampered: { duplicated: 0, swapped: 0, cut: 0 },
  };
  const connections = new Set<Connection>();
  let destinations: readonly LinkTarget[] = [target];
  let taken = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => {});
    if (state.conditions.isRefusing) {
      client.resetAndDestroy();
      return;
    }
    const destination = destinations[taken % destinations.length] ?? target;
    taken += 1;
    connections.add(new Connection(client, destination, state, (gone) => connections.delete(gone)));
  });
  const drop = (): void => {
    for (const connection of [...connections]) connection.reset();
  };
  const setConditions = (change: Partial<LinkConditions>): void => {
    state.conditions = { ...state.conditions, ...change };
    for (const connection of connections) connection.pump();
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The link has no TCP address.');

  return {
    port: address.port,
    get conditions() {
      return state.conditions;
    },
    get connectionCount() {
      return connections.size;
    },
    get acceptedCount() {
      return taken;
    },
    get tampered() {
      return { ...state.tampered };
    },
    setConditions,
    drop,
    heal() {
      Object.assign(state, { duplicates: 0, swaps: 0 });
      Object.assign(state.cuts, { toServer: false, toClient: false });
      setConditions(GOOD);
    },
    deafen(directions) {
      for (const connection of connections) connection.deafen(directions);
    },
    duplicate(count) {
      state.duplicates += count;
    },
    swap(count) {
      state.swaps += count;
    },
    cutInsideFrame(direction) {
      state.cuts[direction] = true;
    },
    retarget(...targets) {
      destinations = targets;
    },
    close() {
      drop();
      return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
    },
  };
}
