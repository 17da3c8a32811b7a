import type { Attack } from '../../attack.ts';
import { readStatuses } from '../../peers/hostile-http.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';

const BYTE_EVERY_MS = 500;
const HEADERS = `GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ${'x'.repeat(1_000)}`;

/** Requests whose headers never end. */
export const slowHeaders: Attack = {
  name: 'slow-headers',
  summary: 'sends the headers of a request byte by byte, without an end',
  seconds: 22,
  allowed: ['HTTP 408', 'dropped'],
  required: [],
  async run(context) {
    const peers = context.pick({ small: 20, full: 400 });
    await context.repeat(peers, { small: peers, full: peers }, async (index) => {
      const socket = await HostileSocket.open(context, index % 3 === 2 ? 'proxy' : 'platform');
      if (socket === null) return context.count('refused connection');
      for (const byte of HEADERS) {
        if (socket.isEnded || context.signal.aborted) break;
        await socket.write(byte);
        await Promise.race([context.pause(BYTE_EVERY_MS), socket.ended]);
      }
      const [status] = readStatuses(socket.received);
      if (!socket.isEnded) context.count('still open');
      else context.count(status === undefined ? 'dropped' : `HTTP ${status}`);
      socket.destroy();
    });
  },
};
