import type { Attack } from '../../attack.ts';
import { exchange } from '../../peers/hostile-http.ts';

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
const request = (path: string, ...fields: readonly string[]): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`;

const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `X-${index}: 1`);

/** Every one is larger than the headers of a request may be. */
const REQUESTS: readonly string[] = [
  request('/healthz', `X-Large: ${'x'.repeat(80_000)}`),
  request('/healthz', `X-Large: ${'x'.repeat(1_000_000)}`),
  request('/healthz', ...many(20_000)),
  request(`/healthz?${'a'.repeat(100_000)}`),
  request('/healthz', `${'x'.repeat(100_000)}: 1`),
  request('/healthz', `Cookie: ${'a=b; '.repeat(20_000)}`),
  request(`/ws?session_id=${'a'.repeat(80_000)}&access_token=x`, UPGRADE.trimEnd()),
  request('/ws', UPGRADE.trimEnd(), `Sec-WebSocket-Protocol: ${'a,'.repeat(40_000)}`),
  request('/ws', UPGRADE.trimEnd(), `Sec-WebSocket-Extensions: ${'a;b=c,'.repeat(20_000)}`),
];

/** Headers and addresses beyond what the stack reads. */
export const hugeHeaders: Attack = {
  name: 'huge-headers',
  summary: 'sends headers, cookies and addresses of up to 1 MB',
  allowed: ['HTTP 431', 'dropped'],
  required: ['HTTP 431'],
  async run(context) {
    await context.repeat(8, { small: REQUESTS.length * 2, full: 10_000 }, async (index) => {
      const target = Math.floor(index / REQUESTS.length) % 2 === 0 ? 'platform' : 'proxy';
      const { statuses } = await exchange(context, target, REQUESTS[index % REQUESTS.length] ?? '', 5);
      context.count(statuses[0] === undefined ? 'dropped' : `HTTP ${statuses[0]}`);
    });
  },
};
