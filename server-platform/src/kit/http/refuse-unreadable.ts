import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { UnreadableReason } from '@natter/server-kit/answer-unreadable';
import type { SetupError } from 'natter/protocol';
import { refuseUpgrade } from './refusal.ts';

/** Responds to a request that Node's parser rejected with a body that the sending page can read. */
export function refuseUnreadable(socket: Duplex, reason: UnreadableReason, maxHeaderBytes: number): void {
  refuseUpgrade(socket, { error: describe(reason, maxHeaderBytes), correlationId: randomUUID() });
}

function describe(reason: UnreadableReason, maxHeaderBytes: number): SetupError {
  switch (reason) {
    case 'headers-too-large':
      return {
        status: 431,
        text: `The request's headers are larger than ${maxHeaderBytes} bytes (limits.maxHeaderBytes)`,
        code: 'HEADERS_TOO_LARGE',
      };
    case 'late':
      return { status: 408, text: 'The request did not arrive in time', code: 'REQUEST_TIMEOUT' };
    case 'unreadable':
      return { status: 400, text: 'This is not a request in HTTP/1.1', code: 'BAD_REQUEST' };
  }
}
