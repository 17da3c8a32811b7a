import { ERROR_CODES, type ErrorBody } from '../error-codes.ts';
import type { ProxyFailure } from '../proxy-failure.ts';

/** Header for the correlation id in requests and responses; the vendor's spelling is read as well. Source: HTTP-2. */
export const CORRELATION_HEADER = 'X-Correlation-Id';
/** The vendor's spelling. Source: rest.md 2. */
export const VENDOR_CORRELATION_HEADER = 'X-PolyAI-Correlation-Id';

const CORRELATION_ID = /^[A-Za-z0-9._-]{1,64}$/;
// Browsers cache for ten minutes that they may send a POST (HTTP-8 says the same of the platform).
const PREFLIGHT_MAX_AGE_SECONDS = 600;

// A traced page sends the last two with every request, which would otherwise be refused.
const REQUEST_HEADERS = [
  'Content-Type',
  CORRELATION_HEADER,
  VENDOR_CORRELATION_HEADER,
  'traceparent',
  'tracestate',
];

/** Returns the caller's correlation id if well-formed, otherwise a new UUID. Source: HTTP-2. */
export function readCorrelationId(headers: Headers): string {
  const given = headers.get(CORRELATION_HEADER) ?? headers.get(VENDOR_CORRELATION_HEADER);
  return given !== null && CORRELATION_ID.test(given) ? given : crypto.randomUUID();
}

/** Values that every API response depends on. */
export interface AnswerContext {
  readonly correlationId: string;
  /** The listed origin to reflect; null: none. */
  readonly origin: string | null;
}

/** Headers of every API response, refusals included. */
function createApiHeaders(context: AnswerContext): Headers {
  const headers = new Headers({
    'Cache-Control': 'no-store',
    // Applies to embedding without CORS; listed pages read the response through CORS, which this does not affect.
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    [CORRELATION_HEADER]: context.correlationId,
  });
  if (context.origin !== null) {
    headers.set('Access-Control-Allow-Origin', context.origin);
    // For the cookie of the resume ticket, which browsers send for pages of this site only, and for your cookies, which
    // the `authorize` hook may check. An unlisted page can only read its refusal.
    headers.set('Access-Control-Allow-Credentials', 'true');
    headers.set('Access-Control-Expose-Headers', `Date, Retry-After, ${CORRELATION_HEADER}`);
  }
  return headers;
}

/** A JSON answer. */
export function answerJson(context: AnswerContext, status: number, body: unknown): Response {
  return answerText(context, status, JSON.stringify(body));
}

/** A response with JSON text that is sent as it arrives. */
export function answerStream(context: AnswerContext, stream: ReadableStream<Uint8Array>): Response {
  return answerText(context, 200, stream);
}

function answerText(
  context: AnswerContext,
  status: number,
  body: string | ReadableStream<Uint8Array>,
): Response {
  const headers = createApiHeaders(context);
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return new Response(body, { status, headers });
}

/** The response to a preflight of a listed origin. */
export function answerPreflight(
  context: AnswerContext,
  methods: readonly string[],
  extraHeaders: readonly string[],
): Response {
  const headers = createApiHeaders(context);
  headers.set('Access-Control-Allow-Methods', methods.join(', '));
  headers.set('Access-Control-Allow-Headers', [...REQUEST_HEADERS, ...extraHeaders].join(', '));
  headers.set('Access-Control-Max-Age', String(PREFLIGHT_MAX_AGE_SECONDS));
  return new Response(null, { status: 204, headers });
}

/** The response for a refusal, in the common shape. */
export function answerFailure(context: AnswerContext, failure: ProxyFailure): Response {
  const { status, retryable } = ERROR_CODES[failure.code];
  const retryAfterSeconds =
    failure.retryAfterMs === null ? null : Math.max(1, Math.ceil(failure.retryAfterMs / 1_000));
  const body: ErrorBody = {
    code: failure.code,
    message: failure.message,
    retryable,
    correlation_id: context.correlationId,
    ...(retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds }),
  };
  const response = answerJson(context, status, body);
  if (retryAfterSeconds !== null) response.headers.set('Retry-After', String(retryAfterSeconds));
  return response;
}
