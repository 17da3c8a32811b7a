import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Why Node's parser rejected a request. */
export type UnreadableReason = 'headers-too-large' | 'late' | 'unreadable';

/** Responds to an unreadable request and ends its connection. `lastBytes` are the last ones received. */
export type AnswerUnreadable = (socket: Duplex, reason: UnreadableReason, lastBytes: Buffer) => void;

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Responds to requests that Node's parser rejects, if their connection can still carry a response. */
export function answerUnreadable(server: Server, answer: AnswerUnreadable): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, response) => answers.set(socket, response));
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const previous = answers.get(socket);
    const isAnswering = previous?.headersSent === true && !previous.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) socket.destroy(error);
    else answer(socket, reasonOf(error.code), error.rawPacket ?? Buffer.alloc(0));
  });
}

function reasonOf(code: string | undefined): UnreadableReason {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers-too-large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'late';
    default:
      return 'unreadable';
  }
}
