import { Socket } from 'node:net';

/** The sockets of a connection pool, to destroy them all at once. */
export class PoolSockets {
  readonly #open = new Set<Socket>();
  #isBrokenOff = false;

  /** Creates a socket for a new connection. After `breakOff` it is destroyed at once. */
  create(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    if (this.#isBrokenOff) setImmediate(() => socket.destroy());
    return socket;
  }

  /** Destroys every socket, including those created later. */
  breakOff(): void {
    this.#isBrokenOff = true;
    for (const socket of this.#open) socket.destroy();
  }
}
