import { Agent, type ClientRequest, type IncomingMessage, request as requestOverHttp } from 'node:http';
import { request as requestOverTls, Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { TraceContext } from '@natter/server-kit/trace-context';
import { type Clock, systemClock } from '../../clock.ts';
import {
  checkAddress,
  createCheckedLookup,
  createNameServerResolver,
  type ResolveHost,
  resolveBySystem,
} from './checked-lookup.ts';
import { Exchange, type OutboundLimits } from './exchange.ts';
import { OutboundAnswer } from './outbound-answer.ts';
import { OutboundError } from './outbound-error.ts';

/** Options of an outbound client. */
export interface OutboundClientOptions {
  /** False: hosts with a private address are refused. Operators' own endpoints may be private. */
  readonly allowsPrivateAddresses: boolean;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /**
   * Resolves a host name to all its addresses. Default: the system's resolver; if only public hosts are allowed, its
   * name servers.
   */
  readonly resolve?: ResolveHost;
  /** False: each request resolves, checks and connects anew. Default: true. */
  readonly keepsConnections?: boolean;
  /** Time limit for name lookup, connection and TLS together, on the machine's clock. Default: 10 s. */
  readonly connectTimeoutMs?: number;
}

/** One request to another server. */
export interface OutboundRequest {
  readonly url: URL | string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly limits: OutboundLimits;
  readonly signal?: AbortSignal;
}

/** Sends requests to other servers. Idle connections close automatically and keep no process alive. */
export interface OutboundClient {
  /**
   * Sends one request and resolves with its response for any status. Follows no redirect, because it could carry a key
   * or a conversation to another host. Skips interim responses (`100 Continue`, `103 Early Hints`). Requests no
   * compression, so `maxBytes` bounds the memory. The caller must read or discard the body. Rejects with an
   * `OutboundError`, or with the reason of the aborted signal.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}

const CONNECT_TIMEOUT_MS = 10_000;
// Shorter than most servers keep a connection open, so that a request seldom meets a closing one.
const IDLE_TIMEOUT_MS = 4_000;
const CACHED_TLS_SESSIONS = 100;
// Some firewalls refuse requests without one.
const USER_AGENT = 'Natter-Platform';

/**
 * Makes a client for other servers.
 *
 * @example
 * const client = createOutboundClient({ allowsPrivateAddresses: true });
 * const answer = await client.send({ url, method: 'GET', limits: { totalTimeoutMs: 5_000, maxBytes: 65_536 } });
 * if (answer.isOk) use(await answer.json());
 * else answer.discard();
 */
export function createOutboundClient({
  allowsPrivateAddresses,
  clock = systemClock,
  resolve = allowsPrivateAddresses ? resolveBySystem : createNameServerResolver(),
  keepsConnections = true,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: OutboundClientOptions): OutboundClient {
  const rules = { allowsPrivateAddresses, resolve };
  const settings = {
    lookup: createCheckedLookup(rules),
    keepAlive: keepsConnections,
    timeout: IDLE_TIMEOUT_MS,
    maxCachedSessions: keepsConnections ? CACHED_TLS_SESSIONS : 0,
  };
  const agents = { 'http:': new Agent(settings), 'https:': new TlsAgent(settings) };
  return {
    async send({ url, method, headers = {}, body = null, limits, signal }) {
      const target = new URL(url);
      // Path and query may contain keys.
      const span = TraceContext.current().begin(
        method,
        { 'http.request.method': method, 'server.address': target.hostname },
        'client',
      );
      const exchange = new Exchange(target.host, limits, clock, signal, () => span.end());
      try {
        const hostname = target.hostname.replace(/^\[(.*)\]$/, '$1');
        const options = {
          ...{ hostname, port: target.port, path: `${target.pathname}${target.search}`, method },
          headers: {
            ...span.headers,
            ...(hasSender(headers) ? {} : { 'User-Agent': USER_AGENT }),
            ...headers,
          },
        };
        const answer = await exchange.within('first_byte', async () => {
          checkAddress(hostname, rules);
          const sent =
            target.protocol === 'https:'
              ? requestOverTls({ ...options, agent: agents['https:'] })
              : requestOverHttp({ ...options, agent: agents['http:'] });
          // Without a reason, because Node could pass it to a connection whose listener is already removed.
          if (exchange.signal.aborted) sent.destroy();
          exchange.signal.addEventListener('abort', () => sent.destroy(), { once: true });
          return await exchangeHeads(sent, body, target.host, connectTimeoutMs);
        });
        const { statusCode: status = 0, headers: answered } = answer;
        span.set({ 'http.response.status_code': status });
        if (status >= 400) span.fail(String(status));
        return new OutboundAnswer({ status, headers: answered }, answer, exchange);
      } catch (error) {
        span.failWith(error);
        exchange.discard();
        throw error;
      }
    },
  };
}

/** Sends a request, and resolves with the head of its response. */
function exchangeHeads(
  request: ClientRequest,
  body: string | Uint8Array | null,
  host: string,
  connectTimeoutMs: number,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('socket', (socket) => limitConnecting(socket, request, host, connectTimeoutMs));
    request.once('response', (answer) => {
      // Errors of the connection reach the body's reader; without a reader they are ignored.
      answer.on('error', () => {});
      resolve(answer);
    });
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new OutboundError('upgraded', `${host} changed the protocol. Check the address.`));
    });
    request.on('error', reject);
    request.end(body ?? undefined);
  });
}

/** Ends a request whose connection takes too long: name lookup, connection and TLS together. */
function limitConnecting(socket: Socket, request: ClientRequest, host: string, timeoutMs: number): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => {
    const message = `${host} took too long to connect. Check its address and the network.`;
    request.destroy(new OutboundError('timeout', message, { phase: 'connect' }));
  }, timeoutMs);
  const stop = (): void => clearTimeout(timer);
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', stop).once('close', stop);
}

function hasSender(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent');
}
