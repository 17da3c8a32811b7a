import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { BusLink, BusLinkListener } from './bus-link.ts';

// Servers take 1 MB unless they are told otherwise; smaller packets wait less for each other.
const MAX_PACKET_LENGTH = 200_000;
const RETRY_MS = 500;
const PING_MS = 5_000;

/** Core NATS: one subject, no JetStream. `url` may hold user and password; several servers are separated by commas. */
export function createNatsLink(options: { readonly url: string; readonly subject: string }): BusLink {
  const { subject } = options;
  let connection: NatsConnection | null = null;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const open = async (listener: BusLinkListener): Promise<void> => {
    try {
      const made = await connect({
        ...readServers(options.url),
        name: 'natter-platform-bus',
        maxReconnectAttempts: -1,
        reconnectTimeWait: RETRY_MS,
        pingInterval: PING_MS,
      });
      if (isClosed) return await made.close();
      made.subscribe(subject, { callback: (_error, { data }) => listener.onPacket(decoder.decode(data)) });
      connection = made;
      await made.flush();
      listener.onUp();
      for await (const { type } of made.status()) {
        if (type === 'disconnect') listener.onDown(new Error('The connection to NATS broke.'));
        else if (type === 'reconnect') listener.onUp();
      }
    } catch (error) {
      if (!isClosed) listener.onDown(error);
    }
    connection = null;
    if (isClosed) return;
    retry = setTimeout(() => void open(listener), RETRY_MS);
    retry.unref();
  };

  return {
    maxPacketLength: MAX_PACKET_LENGTH,
    open: (listener) => void open(listener),
    async send(packets) {
      if (connection === null) throw new Error('The bus is not connected.');
      for (const packet of packets) connection.publish(subject, packet);
      await connection.flush();
    },
    reset() {
      // What fails here shows as a disconnection.
      connection?.reconnect().catch(() => {});
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await connection?.close();
    },
  };
}

const decoder = new TextDecoder();

/** The client wants user and password beside the servers. */
function readServers(urls: string): {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly tls?: object;
} {
  const parsed = urls.split(',').map((url) => new URL(url.trim()));
  const [first] = parsed;
  const user = decodeURIComponent(first?.username ?? '');
  return {
    servers: parsed.map(({ host }) => host),
    ...(user !== '' && { user, pass: decodeURIComponent(first?.password ?? '') }),
    ...(first?.protocol === 'tls:' && { tls: {} }),
  };
}
