import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { readFaultName } from '../kit/read-fault-name.ts';
import { DEFAULT_RETRY_AFTER_MS, readRetryAfterMs } from '../kit/retry-policy.ts';
import { type HandshakeResult, performHandshake } from '../probe/node-handshake.ts';
import { ProxyFailure } from '../proxy-failure.ts';

interface PlatformSocketOptions {
  /** Contains the access token, so it must not be logged. */
  readonly url: string;
  /** The browser's key, so that the platform's response matches the browser's handshake. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Aborts when the browser disconnects or the relay closes. */
  readonly signal: AbortSignal;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Returns the accept value for a handshake key. Source: RFC 6455, 4.2.2. */
export const acceptOf = (key: string): string => createHash('sha1').update(`${key}${GUID}`).digest('base64');

/**
 * Opens a socket on the platform. Throws a `ProxyFailure` whose message and fields contain neither host nor token; the
 * platform's own texts are not passed on.
 */
export async function openPlatformSocket(options: PlatformSocketOptions): Promise<Socket> {
  const { url, key, headers: ownHeaders, signal, timeoutMs } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  let answer: HandshakeResult;
  try {
    answer = await performHandshake(url, key, ownHeaders, AbortSignal.any([signal, timeout]));
  } catch (error) {
    throw unavailable({ upstreamFault: readFaultName(error, timeout) });
  }
  const { response, socket } = answer;
  if (socket === null) throw explain(response);
  const { headers } = response;
  const isAgreed =
    headers['sec-websocket-accept'] === acceptOf(key) &&
    headers['sec-websocket-extensions'] === undefined &&
    headers['sec-websocket-protocol'] === undefined;
  if (isAgreed) return socket;
  socket.destroy();
  throw invalid(response);
}

function explain(response: IncomingMessage): ProxyFailure {
  const { statusCode: upstreamStatus = 0 } = response;
  const logFields = { upstreamStatus };
  switch (upstreamStatus) {
    case 401:
    case 403:
      return new ProxyFailure(
        'SESSION_REFUSED',
        'The chat service refuses this session, or this page. Call /v1/probe to find out which.',
        { logFields },
      );
    case 404:
      return new ProxyFailure('SESSION_NOT_FOUND', 'This session is over. Start a new one.', { logFields });
    case 429:
      return new ProxyFailure(
        'UPSTREAM_RATE_LIMITED',
        'The chat service accepts no more sockets at the moment. Try again after the time given in Retry-After.',
        { retryAfterMs: readRetryAfterMs(response.headers['retry-after'] ?? null), logFields },
      );
    default:
      return upstreamStatus >= 500 ? unavailable(logFields) : invalid(response);
  }
}

const unavailable = (logFields: ProxyFailure['logFields']): ProxyFailure =>
  new ProxyFailure('UPSTREAM_UNAVAILABLE', 'The chat service does not respond. Try again shortly.', {
    retryAfterMs: DEFAULT_RETRY_AFTER_MS,
    logFields,
  });

const invalid = ({ statusCode: upstreamStatus = 0 }: IncomingMessage): ProxyFailure =>
  new ProxyFailure(
    'UPSTREAM_INVALID_RESPONSE',
    'The chat service answered in a way the token proxy does not understand. The operator of the token proxy must check the address of its socket.',
    { logFields: { upstreamStatus } },
  );
