import { deflateRawSync } from 'node:zlib';
import { PATIENCE } from '../../../../e2e/patience.ts';
import type { Attack } from '../../attack.ts';
import { encodeFrame } from '../../peers/frames.ts';
import { join, startSession } from '../../peers/hostile-session.ts';
import { closeOutcome } from '../../peers/hostile-web-socket.ts';

const CLOSE_PATIENCE_MS = 5_000 * PATIENCE;
// A thousandth of its size on the wire.
const BOMB_BYTES = 16_777_216;
const EXTENSIONS = { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' };

/** Frames marked as compressed, after offering a compression that the platform does not take. */
export const compressedFrames: Attack = {
  name: 'compressed-frames',
  summary: 'offers compression and sends compressed frames although none was negotiated',
  allowed: ['close 1002'],
  required: ['close 1002'],
  async run(context) {
    const bomb = encodeFrame(deflateRawSync(Buffer.alloc(BOMB_BYTES)), { reserved: 4 });
    const session = await startSession(context);
    await context.repeat(6, { small: 12, full: 3_000 }, async () => {
      const { socket, status } = await join(context, session, { headers: EXTENSIONS });
      if (socket === null) return context.count(`handshake ${status}`);
      if (/sec-websocket-extensions/i.test(socket.socket.received)) context.count('negotiated');
      await socket.write(bomb);
      await socket.socket.wait(() => socket.isOver, CLOSE_PATIENCE_MS);
      context.count(closeOutcome(socket));
      await socket.leave();
    });
  },
};
