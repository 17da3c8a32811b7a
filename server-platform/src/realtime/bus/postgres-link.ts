import { Socket } from 'node:net';
import pg from 'pg';
import { openTargets, type PostgresTargets, readOnlyError, refuseReadOnly } from '../../db/index.ts';
import type { AddressedPacket, BusLink, BusLinkListener } from './bus-link.ts';

// NOTIFY accepts payloads below 8,000 bytes.
const MAX_PACKET_LENGTH = 7_900;
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 500;
// NOTIFY also succeeds on a read-only server, so the mode is returned with it. An empty list of packets returns no row.
const NOTIFY = `
SELECT pg_notify($1, packet), current_setting('transaction_read_only') AS mode FROM unnest($2::text[]) AS packet`;
// Longest wait for a clean disconnect.
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * LISTEN and NOTIFY over a dedicated connection, for a few nodes. One channel carries everything: PostgreSQL signals
 * every listening connection of the database at each commit with a notification, on any channel, and each compares
 * the names of all channels it listens to. So channels by session would spare the nodes little, and cost the server more.
 * `channel` is a name of PostgreSQL, at most 63 characters of `[a-z0-9_]`. A pooler in between must not share the connection among clients (no transaction pooling).
 */
export class PostgresLink implements BusLink {
  readonly maxPacketLength = MAX_PACKET_LENGTH;
  readonly subjects = null;
  readonly #targets: PostgresTargets;
  readonly #channel: string;
  #current: Connection | null = null;
  #isListening = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: { readonly databaseUrl: string; readonly channel: string }) {
    this.#targets = openTargets(options.databaseUrl);
    this.#channel = options.channel;
  }

  open(listener: BusLinkListener): void {
    void this.#connect(listener);
  }

  async send(packets: readonly AddressedPacket[]): Promise<void> {
    const connection = this.#current;
    if (connection === null || !this.#isListening) throw new Error('The bus is not connected.');
    const { rows } = await connection.client.query<{ mode: string }>(NOTIFY, [
      this.#channel,
      packets.map(({ packet }) => packet),
    ]);
    // A demoted primary still carries packets, but only among nodes that are still connected to it.
    if (rows[0]?.mode === 'on') connection.socket.destroy(readOnlyError());
  }

  reset(): void {
    this.#current?.socket.destroy(new Error('Lost the connection to the message bus.'));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const last = this.#current;
    this.#current = null;
    // The wait is bounded, because the connection may be dead.
    const ended = last?.client.end().catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS))]);
    last?.socket.destroy();
  }

  async #connect(listener: BusLinkListener): Promise<void> {
    const target = this.#targets.current;
    const connection = createConnection(target);
    const { client } = connection;
    this.#current = connection;
    const lose = (error: unknown): void => this.#lose(connection, listener, error);
    client.on('error', lose);
    client.on('end', () => lose(new Error('The server closed the connection of the bus.')));
    client.on('notification', ({ payload = '' }) => listener.onPacket(payload, null));
    try {
      await client.connect();
      await refuseReadOnly(client);
      await client.query(`LISTEN ${this.#channel}`);
      if (this.#current !== connection) return;
      this.#isListening = true;
      listener.onUp();
    } catch (error) {
      this.#targets.leave(target);
      lose(error);
    }
  }

  /** Discards a connection that has failed, and connects again after `RETRY_MS`. */
  #lose(connection: Connection, listener: BusLinkListener, error: unknown): void {
    if (this.#current !== connection) return;
    this.#current = null;
    this.#isListening = false;
    connection.socket.destroy();
    if (this.#isClosed) return;
    listener.onDown(error);
    this.#retry = setTimeout(() => void this.#connect(listener), RETRY_MS);
    this.#retry.unref();
  }
}

interface Connection {
  readonly client: pg.Client;
  /** The stream of the client, to be destroyed without waiting for the server. */
  readonly socket: Socket;
}

function createConnection(address: pg.ClientConfig): Connection {
  const socket = new Socket();
  const client = new pg.Client({
    application_name: 'natter-platform-bus',
    ...address,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    stream: () => socket,
  });
  return { client, socket };
}
