import type { Attack } from '../../attack.ts';
import { readStatuses } from '../../peers/hostile-http.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';

const BEGINNINGS = [
  '',
  'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  // One whole request: the connection is then kept alive for another one.
  'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'POST /api/v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{',
] as const;
const ANSWER_PATIENCE_MS = 2_000;

/** Connections that are opened, carry nothing or half a request, and stay. */
export const halfOpen: Attack = {
  name: 'half-open',
  summary: 'opens thousands of connections that carry nothing, half a request, or one request, and stay',
  allowed: ['opened', /^HTTP (?:200|401|404|408)$/],
  required: ['opened'],
  async run(context) {
    const sockets: HostileSocket[] = [];
    await context.repeat(50, { small: 200, full: 4_000 }, async (index) => {
      const socket = await HostileSocket.open(context, index % 4 === 3 ? 'proxy' : 'platform');
      if (socket === null) return context.count('refused connection');
      sockets.push(socket);
      context.count('opened');
      const bytes = BEGINNINGS[index % BEGINNINGS.length] ?? '';
      if (bytes !== '') await socket.write(bytes);
    });
    await context.pause(context.isSmall ? 0 : ANSWER_PATIENCE_MS);
    for (const socket of sockets) {
      for (const status of readStatuses(socket.received)) context.count(`HTTP ${status}`);
      socket.destroy();
    }
    await Promise.all(sockets.map(({ ended }) => ended));
  },
};
