import { parseJsonBody } from './parse-request.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { readLimited } from './read-limited.ts';

// A ticket holds an access token, sealed and written in base64 once more: 8 kB of token, the most that is accepted from
// upstream, fit in here. 4 kB would refuse tickets of a platform whose tokens are of ordinary size.
/** Longest body in bytes that holds a ticket and nothing else of length. */
export const MAX_TICKET_BODY_BYTES = 16_384;

/** Throws `UNSUPPORTED_MEDIA_TYPE` unless the body is declared as plain JSON: the one type a page cannot send without a preflight. */
export function requireJsonContentType(headers: Headers): void {
  const [essence = '', ...parameters] = (headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/i.test(charset);
  const encoding = headers.get('content-encoding');
  if (
    essence.toLowerCase() === 'application/json' &&
    isUtf8 &&
    (encoding === null || encoding === 'identity')
  )
    return;
  throw new ProxyFailure(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body uncompressed with Content-Type: application/json.',
  );
}

/**
 * Reads a small JSON body. Throws `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT` when the signal aborts before the end of the body, or
 * `INVALID_REQUEST`. The platform has no part in a body that is late, so that is never reported as a failure of the platform.
 */
export async function readJsonRequest(
  request: Request,
  maxBytes: number,
  signal: AbortSignal,
): Promise<unknown> {
  const tooLarge = (): ProxyFailure =>
    new ProxyFailure('PAYLOAD_TOO_LARGE', `The body is larger than the ${maxBytes} bytes accepted here.`);
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge();
  let body: Awaited<ReturnType<typeof readLimited>>;
  try {
    body = await readLimited(request.body, maxBytes, signal);
  } catch (error) {
    if (signal.aborted && !request.signal.aborted) {
      throw new ProxyFailure('REQUEST_TIMEOUT', 'The body did not arrive in time. Send the request again.', {
        cause: error,
      });
    }
    throw new ProxyFailure('INVALID_REQUEST', 'The body could not be read to its end. Send it again.', {
      cause: error,
    });
  }
  if (body.status === 'too-large') throw tooLarge();
  return parseJsonBody(body.bytes);
}
