import { Agent, request as send } from 'undici';
import { type Clock, systemClock } from '../../clock.ts';
import { TraceContext } from '../../tracing/index.ts';
import { createCheckedConnector, type ResolveHost, resolveBySystem } from './create-checked-connector.ts';
import { Exchange, type OutboundLimits } from './exchange.ts';
import { OutboundAnswer } from './outbound-answer.ts';

/** How a client connects. */
export interface OutboundClientOptions {
  /** False: a host with an address that is not public is refused. Operators' own endpoints may be private. */
  readonly allowsPrivateAddresses: boolean;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** All addresses of a host name. Default: the system's resolver. */
  readonly resolve?: ResolveHost;
  /** False: each request resolves the name, checks and connects anew. Default: true. */
  readonly keepsConnections?: boolean;
  /** For the name, the connection and TLS together, on the machine's clock. Default: 10 s. */
  readonly connectTimeoutMs?: number;
}

/** One request to another server. */
export interface OutboundRequest {
  readonly url: URL | string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly limits: OutboundLimits;
  readonly signal?: AbortSignal;
}

/** Requests to other servers. Idle connections close by themselves and keep no process alive. */
export interface OutboundClient {
  /**
   * Sends one request and resolves with its answer, whatever the status. Follows no redirect, because it could carry a
   * key or a conversation to another host. Asks for no compression, so `maxBytes` bounds the memory. The caller reads
   * or discards the body. Rejects with an `OutboundError`, or with the reason of the aborted signal.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}

const CONNECT_TIMEOUT_MS = 10_000;

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
  resolve = resolveBySystem,
  keepsConnections = true,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: OutboundClientOptions): OutboundClient {
  const dispatcher = new Agent({
    connect: createCheckedConnector({
      allowsPrivateAddresses,
      resolve,
      connectTimeoutMs,
      resumesTls: keepsConnections,
    }),
    // undici's name for one request per connection.
    pipelining: keepsConnections ? 1 : 0,
    // The exchange has the limits, on a clock that tests hold.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async send({ url, method, headers = {}, body = null, limits, signal }) {
      const target = new URL(url);
      // The path and the query of an address may hold keys.
      const span = TraceContext.current().begin(
        method,
        { 'http.request.method': method, 'server.address': target.hostname },
        'client',
      );
      const exchange = new Exchange(target.host, limits, clock, signal, () => span.end());
      try {
        const answer = await exchange.within('first_byte', () =>
          send(target, {
            ...{ dispatcher, method, body, signal: exchange.signal },
            headers: { ...span.headers, ...headers },
          }),
        );
        const { statusCode: status, headers: answered } = answer;
        span.set({ 'http.response.status_code': status });
        if (status >= 400) span.fail(String(status));
        return new OutboundAnswer({ status, headers: answered }, answer.body, exchange);
      } catch (error) {
        span.failWith(error);
        exchange.discard();
        throw error;
      }
    },
  };
}
