import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UnreadableReason } from '@natter/server-kit/answer-unreadable';
import { ERROR_CODES, type ErrorBody, type ErrorCode } from '../error-codes.ts';

const ORIGIN = /\r\nOrigin: *(https?:\/\/[A-Za-z0-9.[\]:-]{1,255})\r\n/i;

/** Responds to a request that Node's parser rejected, in the common shape and readable by the page that sent it. */
export function refuseUnreadable(
  socket: Duplex,
  reason: UnreadableReason,
  lastBytes: Buffer,
  maxHeaderBytes: number,
): void {
  const [code, message] = describe(reason, maxHeaderBytes);
  const origin = ORIGIN.exec(lastBytes.toString('latin1'))?.[1];
  const { status, retryable } = ERROR_CODES[code];
  const body: ErrorBody = {
    code,
    message,
    retryable,
    correlation_id: crypto.randomUUID(),
  };
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    // Any page may read this text, so it contains nothing else.
    `Access-Control-Allow-Origin: ${origin ?? '*'}`,
    ...(origin === undefined ? [] : ['Access-Control-Allow-Credentials: true']),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

function describe(reason: UnreadableReason, maxHeaderBytes: number): readonly [ErrorCode, string] {
  switch (reason) {
    case 'headers-too-large':
      return [
        'HEADERS_TOO_LARGE',
        `The request's headers are larger than ${maxHeaderBytes} bytes. Remove cookies of this site, or raise NATTER_MAX_HEADER_BYTES.`,
      ];
    case 'late':
      return ['REQUEST_TIMEOUT', 'The request did not arrive in time. Send it again.'];
    case 'unreadable':
      return ['INVALID_REQUEST', 'This is not a request in HTTP/1.1.'];
  }
}
