import { connect, type Socket } from 'node:net';
import { PATIENCE } from '../../../e2e/patience.ts';
import type { AttackContext, Target } from '../attack.ts';

/** How a connection ended: by the stack, with or without a reset, or by the attacker. */
export type SocketEnd = 'closed' | 'reset';

// A peer reads answers for their status; the rest is discarded.
const MAX_KEPT_BYTES = 65_536;
const CONNECT_PATIENCE_MS = 10_000 * PATIENCE;

/** A TCP connection that writes any bytes of an attack. */
export class HostileSocket {
  readonly socket: Socket;
  /** Resolves when the connection is over. */
  readonly ended: Promise<SocketEnd>;
  /** The beginning of the bytes that the stack sent. */
  received = '';
  receivedBytes = 0;
  isEnded = false;
  /** Reads the bytes before anything that waits is resolved. */
  onBytes: (bytes: Buffer) => void = () => {};
  readonly #watchers = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    let hasFailed = false;
    socket.on('error', () => {
      hasFailed = true;
    });
    socket.on('data', (bytes: Buffer) => {
      this.receivedBytes += bytes.length;
      if (this.received.length < MAX_KEPT_BYTES) this.received += bytes.toString('latin1');
      this.onBytes(bytes);
      for (const watch of this.#watchers) watch();
    });
    this.ended = new Promise((resolve) => {
      socket.once('close', () => {
        this.isEnded = true;
        resolve(hasFailed ? 'reset' : 'closed');
        for (const watch of this.#watchers) watch();
      });
    });
  }

  /** Resolves with null when the stack does not accept the connection. */
  static open(
    context: AttackContext,
    target: Target,
    address: string = context.nextAddress(),
  ): Promise<HostileSocket | null> {
    const { platformPort, proxyPort } = context.stack;
    const port = target === 'platform' ? platformPort : proxyPort;
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, localAddress: address });
      const fail = (): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(null);
      };
      const timer = setTimeout(fail, CONNECT_PATIENCE_MS);
      socket.once('error', fail);
      socket.once('connect', () => {
        clearTimeout(timer);
        socket.off('error', fail);
        socket.setNoDelay(true);
        resolve(new HostileSocket(socket));
      });
    });
  }

  /** Resolves when the bytes are with the kernel, or the connection is over. */
  write(bytes: string | Buffer): Promise<void> {
    if (this.isEnded || this.socket.writableEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.socket.write(bytes, () => resolve());
      this.ended.then(() => resolve());
    });
  }

  /** Resolves when `isThere` is true for the received bytes, the connection is over, or the time has passed. */
  wait(isThere: (received: string) => boolean, patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.isEnded && !isThere(this.received)) return;
        finish();
      };
      const finish = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve();
      };
      const timer = setTimeout(finish, patienceMs);
      this.#watchers.add(look);
      look();
    });
  }

  /** Ends the connection with a TCP reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Ends the connection without ceremony. */
  destroy(): void {
    this.socket.destroy();
  }
}
