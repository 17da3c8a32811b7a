import { Socket } from 'node:net';
import pg from 'pg';
import type { BusLink, BusLinkListener } from './bus-link.ts';

// NOTIFY takes fewer than 8,000 bytes.
const MAX_PACKET_LENGTH = 7_900;
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 500;

/**
 * LISTEN and NOTIFY over one connection of its own, for a few nodes. One channel carries everything: PostgreSQL signals
 * every listening connection of the database at each commit with a notification, whatever its channel, and each compares
 * the names of all channels it listens to. So channels by session would spare the nodes little, and cost the server more.
 * `channel` is a name of PostgreSQL, at most 63 characters of `[a-z0-9_]`. A pooler in between must not share the connection among clients (no transaction pooling).
 */
export function createPostgresLink(options: {
  readonly databaseUrl: string;
  readonly channel: string;
}): BusLink {
  const { databaseUrl, channel } = options;
  let current: { readonly client: pg.Client; readonly socket: Socket } | null = null;
  let isListening = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (listener: BusLinkListener): Promise<void> => {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'natter-platform-bus',
      keepAlive: true,
      stream: () => socket,
    });
    const mine = { client, socket };
    current = mine;
    const lose = (error: unknown): void => {
      if (current !== mine) return;
      current = null;
      isListening = false;
      socket.destroy();
      if (isClosed) return;
      listener.onDown(error);
      retry = setTimeout(() => void connect(listener), RETRY_MS);
      retry.unref();
    };
    client.on('error', lose);
    client.on('end', () => lose(new Error('The server closed the connection of the bus.')));
    client.on('notification', ({ payload = '' }) => listener.onPacket(payload, null));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      if (current !== mine) return;
      isListening = true;
      listener.onUp();
    } catch (error) {
      lose(error);
    }
  };

  return {
    maxPacketLength: MAX_PACKET_LENGTH,
    subjects: null,
    open: (listener) => void connect(listener),
    async send(packets) {
      if (current === null || !isListening) throw new Error('The bus is not connected.');
      await current.client.query('SELECT pg_notify($1, packet) FROM unnest($2::text[]) AS packet', [
        channel,
        packets.map(({ packet }) => packet),
      ]);
    },
    reset() {
      current?.socket.destroy(new Error('The bus carries nothing any more.'));
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      const last = current;
      current = null;
      // Not waited for longer than it takes when all is well: the connection may be dead.
      const ended = last?.client.end().catch(() => {});
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1_000))]);
      last?.socket.destroy();
    },
  };
}
