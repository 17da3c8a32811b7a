import { PATIENCE } from '../../../../e2e/patience.ts';
import type { Attack } from '../../attack.ts';
import { readStatuses } from '../../peers/hostile-http.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';

const PATHS = [
  'GET /healthz',
  'GET /readyz',
  'GET /nowhere',
  'GET /metrics',
  'OPTIONS /api/v1/sessions',
  'GET /api/v1/sessions',
  'GET /v1/a/b/conversations',
  'GET /openapi.json',
] as const;
const PROXY_PATHS = ['GET /v1/health', 'GET /natter.js', 'OPTIONS /v1/session', 'GET /nowhere'] as const;
const PIPELINED = 100;
const ENOUGH_BYTES = 60_000;
const ANSWER_PATIENCE_MS = 5_000 * PATIENCE;

/** Requests that need no credentials, a hundred in a row without waiting for their answers. */
export const requestFloods: Attack = {
  name: 'request-floods',
  summary: 'sends requests that need no credentials, a hundred at a time without reading the answers',
  allowed: ['HTTP 200', 'HTTP 204', /^HTTP (?:401|403|404|405|429|503)$/, 'dropped'],
  required: ['HTTP 200', 'HTTP 404'],
  async run(context) {
    await context.repeat(8, { small: 16, full: 2_000 }, async (index) => {
      const isPlatform = index % 4 !== 3;
      const paths = isPlatform ? PATHS : PROXY_PATHS;
      const socket = await HostileSocket.open(context, isPlatform ? 'platform' : 'proxy');
      if (socket === null) return context.count('refused connection');
      const path = paths[Math.floor(index / 4 + index) % paths.length];
      const origin = `Origin: https://${context.stack.host}\r\n`;
      await socket.write(`${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${origin}\r\n`.repeat(PIPELINED));
      await socket.wait(
        (received) => socket.receivedBytes > ENOUGH_BYTES || readStatuses(received).length >= PIPELINED / 2,
        ANSWER_PATIENCE_MS,
      );
      const statuses = readStatuses(socket.received);
      for (const status of statuses) context.count(`HTTP ${status}`);
      if (statuses.length === 0) context.count('dropped');
      socket.destroy();
    });
  },
};
