import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type SetupError, toSetupErrorBody } from 'natter/protocol';
import { CORRELATION_HEADER, VENDOR_CORRELATION_HEADER } from './correlation.ts';

/** A refused request: the row of the contract's tables, with optional headers. */
export interface Refusal {
  readonly error: SetupError;
  readonly correlationId: string;
  /** Whole seconds, at least 1. Source: HTTP-10. */
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers that every messaging response carries. Source: HTTP-2, HTTP-8. */
export function commonHeaders(correlationId: string): Record<string, string> {
  return {
    [CORRELATION_HEADER]: correlationId,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': `Retry-After, ${CORRELATION_HEADER}, ${VENDOR_CORRELATION_HEADER}`,
    // Tokens and ids are private to the caller.
    'Cache-Control': 'no-store',
  };
}

function refusalHeaders(refusal: Refusal): Record<string, string> {
  return {
    ...commonHeaders(refusal.correlationId),
    'Content-Type': 'application/json; charset=utf-8',
    ...(refusal.retryAfterSeconds !== undefined && { 'Retry-After': String(refusal.retryAfterSeconds) }),
    ...refusal.headers,
  };
}

/** The HTTP-3 answer to a request. */
export function refusalResponse(refusal: Refusal): Response {
  return new Response(JSON.stringify(toSetupErrorBody(refusal.error, refusal.correlationId)), {
    status: refusal.error.status,
    headers: refusalHeaders(refusal),
  });
}

/** Answers a handshake with an HTTP response instead of an upgrade, and closes the connection. Source: WS-2. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const body = JSON.stringify(toSetupErrorBody(refusal.error, refusal.correlationId));
  const headers = {
    ...refusalHeaders(refusal),
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const { status } = refusal.error;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
}
