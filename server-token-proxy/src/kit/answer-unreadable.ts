import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_CODES, type ErrorBody, type ErrorCode } from '../error-codes.ts';

interface ClientError extends Error {
  readonly code?: string;
  /** The last bytes that arrived. */
  readonly rawPacket?: Buffer;
}

const ORIGIN = /\r\nOrigin: *(https?:\/\/[A-Za-z0-9.[\]:-]{1,255})\r\n/i;

/** Answers requests that Node's parser gives up, in the one shape all refusals have and readable by the page that sent them. */
export function answerUnreadable(server: Server, maxHeaderBytes: number): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, response) => answers.set(socket, response));
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const answer = answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) {
      socket.destroy(error);
      return;
    }
    const [code, message] = describe(error.code, maxHeaderBytes);
    const origin = ORIGIN.exec(error.rawPacket?.toString('latin1') ?? '')?.[1];
    const body: ErrorBody = {
      code,
      message,
      retryable: ERROR_CODES[code].retryable,
      correlation_id: crypto.randomUUID(),
    };
    const text = JSON.stringify(body);
    const lines = [
      `HTTP/1.1 ${ERROR_CODES[code].status} ${code}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Cache-Control: no-store',
      // Any page may read this text, so it contains nothing else.
      `Access-Control-Allow-Origin: ${origin ?? '*'}`,
      ...(origin === undefined ? [] : ['Access-Control-Allow-Credentials: true']),
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
  });
}

function describe(code: string | undefined, maxHeaderBytes: number): readonly [ErrorCode, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [
        'HEADERS_TOO_LARGE',
        `The request's headers are larger than ${maxHeaderBytes} bytes. Remove cookies of this site, or raise NATTER_MAX_HEADER_BYTES.`,
      ];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['REQUEST_TIMEOUT', 'The request did not arrive in time. Send it again.'];
    default:
      return ['INVALID_REQUEST', 'This is not a request in HTTP/1.1.'];
  }
}
