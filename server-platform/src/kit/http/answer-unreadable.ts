import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SetupError } from 'natter/protocol';
import { refuseUpgrade } from './refusal.ts';

/** Answers requests that Node's parser gives up with words that the page which sent them can read. */
export function answerUnreadable(server: Server, maxHeaderBytes: number): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, response) => answers.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) {
      socket.destroy(error);
      return;
    }
    refuseUpgrade(socket, { error: describe(error.code, maxHeaderBytes), correlationId: randomUUID() });
  });
}

function describe(code: string | undefined, maxHeaderBytes: number): SetupError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        text: `The request's headers are larger than ${maxHeaderBytes} bytes (limits.maxHeaderBytes)`,
        code: 'HEADERS_TOO_LARGE',
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, text: 'The request did not arrive in time', code: 'REQUEST_TIMEOUT' };
    default:
      return { status: 400, text: 'This is not a request in HTTP/1.1', code: 'BAD_REQUEST' };
  }
}
