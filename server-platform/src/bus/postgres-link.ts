import { Socket } from 'node:net';
import pg from 'pg';
import type { AddressedPacket, BusLink, BusLinkListener } from './bus-link.ts';

// NOTIFY takes fewer than 8,000 bytes.
const MAX_PACKET_LENGTH = 7_900;
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 500;
// How long a connection may take to say goodbye.
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * LISTEN and NOTIFY over one connection of its own, for a few nodes. One channel carries everything: PostgreSQL signals
 * every listening connection of the database at each commit with a notification, whatever its channel, and each compares
 * the names of all channels it listens to. So channels by session would spare the nodes little, and cost the server more.
 * `channel` is a name of PostgreSQL, at most 63 characters of `[a-z0-9_]`. A pooler in between must not share the connection among clients (no transaction pooling).
 */
export class PostgresLink implements BusLink {
  readonly maxPacketLength = MAX_PACKET_LENGTH;
  readonly subjects = null;
  readonly #databaseUrl: string;
  readonly #channel: string;
  #current: Connection | null = null;
  #isListening = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: { readonly databaseUrl: string; readonly channel: string }) {
    this.#databaseUrl = options.databaseUrl;
    this.#channel = options.channel;
  }

  open(listener: BusLinkListener): void {
    void this.#connect(listener);
  }

  async send(packets: readonly AddressedPacket[]): Promise<void> {
    if (this.#current === null || !this.#isListening) throw new Error('The bus is not connected.');
    await this.#current.client.query('SELECT pg_notify($1, packet) FROM unnest($2::text[]) AS packet', [
      this.#channel,
      packets.map(({ packet }) => packet),
    ]);
  }

  reset(): void {
    this.#current?.socket.destroy(new Error('The bus carries nothing any more.'));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const last = this.#current;
    this.#current = null;
    // Not waited for longer than it takes when all is well: the connection may be dead.
    const ended = last?.client.end().catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS))]);
    last?.socket.destroy();
  }

  async #connect(listener: BusLinkListener): Promise<void> {
    const connection = createConnection(this.#databaseUrl);
    const { client } = connection;
    this.#current = connection;
    const lose = (error: unknown): void => this.#lose(connection, listener, error);
    client.on('error', lose);
    client.on('end', () => lose(new Error('The server closed the connection of the bus.')));
    client.on('notification', ({ payload = '' }) => listener.onPacket(payload, null));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#channel}`);
      if (this.#current !== connection) return;
      this.#isListening = true;
      listener.onUp();
    } catch (error) {
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

function createConnection(databaseUrl: string): Connection {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'natter-platform-bus',
    keepAlive: true,
    stream: () => socket,
  });
  return { client, socket };
}
