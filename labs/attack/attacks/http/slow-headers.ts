import type { Attack } from '../../attack.ts';
import { writeSlowly } from '../../peers/hostile-http.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';

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
      await writeSlowly(context, socket, HEADERS);
    });
  },
};
