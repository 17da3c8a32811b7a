import { readFile } from 'node:fs/promises';
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import type { BusLink, BusLinkListener, RequestOutcome } from './bus-link.ts';
import type { BusFiles } from './open-bus.ts';

// The default server limit is 1 MB; with smaller packets, messages delay each other less.
const MAX_PACKET_LENGTH = 200_000;
const RETRY_MS = 500;
const PING_MS = 5_000;

/** Where the servers are and how to sign in. */
export interface NatsLinkOptions {
  /** `nats://` or `tls://`, several servers separated by commas; the first one may hold user and password, or a token. */
  readonly url: string;
  readonly files: BusFiles;
  /** Subject of packets for all nodes, and prefix of all other subjects. */
  readonly subject: string;
  readonly node: string;
}

/**
 * Core NATS, no JetStream: `subject` for all nodes, `subject.s.N` for a shard, `subject.node.NAME` for requests.
 */
export function createNatsLink(options: NatsLinkOptions): BusLink {
  const { subject } = options;
  const link = new NatsLink(options);
  return {
    maxPacketLength: MAX_PACKET_LENGTH,
    subjects: link,
    open: (listener) => void link.open(listener),
    async send(packets) {
      const { connection } = link;
      if (connection === null) throw new Error('The bus is not connected.');
      for (const { packet, shard } of packets)
        connection.publish(shard === null ? subject : shardSubject(subject, shard), packet);
      await connection.flush();
    },
    reset() {
      // The client reports a failure as a disconnection.
      link.connection?.reconnect().catch(() => {});
    },
    close: () => link.close(),
  };
}

const shardSubject = (subject: string, shard: number): string => `${subject}.s.${shard}`;
const nodeSubject = (subject: string, node: string): string => `${subject}.node.${node}`;

class NatsLink {
  readonly #options: NatsLinkOptions;
  readonly #shards = new Map<number, { unsubscribe: () => void }>();
  #listener: BusLinkListener | null = null;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  connection: NatsConnection | null = null;

  constructor(options: NatsLinkOptions) {
    this.#options = options;
  }

  async open(listener: BusLinkListener): Promise<void> {
    this.#listener = listener;
    try {
      const made = await connect(await readConnectionOptions(this.#options));
      if (this.#isClosed) return await made.close();
      this.#subscribeAll(made, listener);
      this.connection = made;
      await made.flush();
      listener.onUp();
      for await (const { type } of made.status()) {
        if (type === 'disconnect') listener.onDown(new Error('Lost the connection to NATS.'));
        else if (type === 'reconnect') listener.onUp();
      }
    } catch (error) {
      if (!this.#isClosed) listener.onDown(error);
    }
    this.connection = null;
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => void this.open(listener), RETRY_MS);
    this.#retry.unref();
  }

  async follow(shard: number): Promise<void> {
    const { connection } = this;
    this.#shards.set(shard, { unsubscribe: () => {} });
    if (connection === null || this.#listener === null) return;
    this.#subscribe(connection, shard, this.#listener);
    // After a disconnection the client reports it and subscribes again.
    await connection.flush().catch(() => {});
  }

  unfollow(shard: number): void {
    this.#shards.get(shard)?.unsubscribe();
    this.#shards.delete(shard);
  }

  async request(node: string, question: string, timeoutMs: number): Promise<RequestOutcome> {
    const { connection } = this;
    if (connection === null) return { status: 'unanswered' };
    try {
      const target = nodeSubject(this.#options.subject, node);
      const answer = await connection.request(target, question, { timeout: Math.max(timeoutMs, 1) });
      return { status: 'answered', answer: answer.string() };
    } catch (error) {
      return { status: isNoResponder(error) ? 'no_responder' : 'unanswered' };
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.connection?.close();
  }

  #subscribeAll(connection: NatsConnection, listener: BusLinkListener): void {
    const { subject, node } = this.#options;
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) listener.onPacket(message.string(), null);
      },
    });
    connection.subscribe(nodeSubject(subject, node), {
      callback: (error, message) => {
        if (error === null)
          void listener.onRequest(message.string()).then((answer) => message.respond(answer));
      },
    });
    for (const shard of this.#shards.keys()) this.#subscribe(connection, shard, listener);
  }

  #subscribe(connection: NatsConnection, shard: number, listener: BusLinkListener): void {
    const subscription = connection.subscribe(shardSubject(this.#options.subject, shard), {
      callback: (error, message) => {
        if (error === null) listener.onPacket(message.string(), shard);
      },
    });
    this.#shards.set(shard, subscription);
  }
}

function isNoResponder(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'NoRespondersError' || isNoResponder(error.cause);
}

async function readConnectionOptions({
  url,
  files,
  subject,
}: NatsLinkOptions): Promise<NodeConnectionOptions> {
  const { caFile, certificateFile, keyFile, credentialsFile } = files;
  const servers = url.split(',').map((each) => new URL(each.trim()));
  const [first] = servers;
  const user = decodeURIComponent(first?.username ?? '');
  const pass = decodeURIComponent(first?.password ?? '');
  const isEncrypted = first?.protocol === 'tls:' || caFile !== undefined || certificateFile !== undefined;
  return {
    servers: servers.map(({ host }) => host),
    name: 'natter-platform-bus',
    // Below the prefix of all subjects, so that one permission covers them.
    inboxPrefix: `${subject}.inbox`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    pingInterval: PING_MS,
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
    ...(credentialsFile !== undefined && { authenticator: await readAuthenticator(credentialsFile) }),
    ...(isEncrypted && {
      tls: {
        ...(caFile !== undefined && { ca: await readFile(caFile, 'utf8') }),
        ...(certificateFile !== undefined && { cert: await readFile(certificateFile, 'utf8') }),
        ...(keyFile !== undefined && { key: await readFile(keyFile, 'utf8') }),
      },
    }),
  };
}

/** Reads a credentials file (JWT and seed) or an nkey file (seed only). */
async function readAuthenticator(path: string): Promise<Authenticator> {
  const text = (await readFile(path, 'utf8')).trim();
  const encoder = new TextEncoder();
  if (text.startsWith('SU')) return nkeyAuthenticator(encoder.encode(text));
  // The parser requires a line feed at the end.
  return credsAuthenticator(encoder.encode(`${text}\n`));
}
