import { CLOSE_CODES } from 'natter/protocol';
import { type Clock, sleep } from '../../kit/clock.ts';
import type { Connection } from './connection.ts';
import type { ConnectorSocket } from './revocation-watch.ts';

// A peer that does not answer a shutdown's close is disconnected after this time.
const GOODBYE_MS = 500;

/** The open connections of this node, in total and by session. */
export class OpenConnections {
  readonly #clock: Clock;
  readonly #sockets = new Map<Connection, ConnectorSocket>();
  readonly #bySession = new Map<string, Set<Connection>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#sockets.size;
  }

  sockets(): Iterable<ConnectorSocket> {
    return this.#sockets.values();
  }

  add(connection: Connection, sessionId: string, socket: ConnectorSocket): void {
    this.#sockets.set(connection, socket);
    const ofSession = this.#bySession.get(sessionId) ?? new Set();
    this.#bySession.set(sessionId, ofSession.add(connection));
  }

  remove(connection: Connection, sessionId: string): void {
    this.#sockets.delete(connection);
    const ofSession = this.#bySession.get(sessionId);
    ofSession?.delete(connection);
    if (ofSession?.size === 0) this.#bySession.delete(sessionId);
  }

  /** Closes a session's sockets with 1001. Resolves when they are closed or their time is up. */
  async closeSession(sessionId: string): Promise<void> {
    await this.#closeAll([...(this.#bySession.get(sessionId) ?? [])]);
  }

  /** Closes every socket with 1001. Resolves when they are closed or their time is up. */
  async close(): Promise<void> {
    await this.#closeAll([...this.#sockets.keys()]);
  }

  async #closeAll(connections: readonly Connection[]): Promise<void> {
    await Promise.all(
      connections.map(async (connection) => {
        connection.close(CLOSE_CODES.goingAway, 'going away');
        await Promise.race([connection.closed, sleep(this.#clock, GOODBYE_MS)]);
        connection.terminate();
      }),
    );
  }
}
