import { randomBytes } from 'node:crypto';
import type { Attack, Target } from '../../attack.ts';
import { exchange } from '../../peers/hostile-http.ts';

const UPGRADE = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`;

interface Shape {
  readonly kind: string;
  readonly target: Target;
  readonly bytes: string;
}

const HOSTS_TWICE: readonly string[] = [
  'Host: 127.0.0.1\r\nHost: evil.example\r\n',
  'Host: evil.example\r\nX-Between: 1\r\nhost: 127.0.0.1\r\n',
  'Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n',
];
const HOSTS_UNREADABLE: readonly string[] = [
  'Host: \r\n',
  'Host: a b\r\n',
  'Host: [::\r\n',
  'Host: user@evil.example\r\n',
  'Host: evil.example/path?query\r\n',
  'Host: 127.0.0.1:99999999\r\n',
  'Host: %00\r\n',
  `Host: ${'a.'.repeat(6_000)}example\r\n`,
  `Host: ${':'.repeat(12_000)}\r\n`,
  'Host: 127.0.0.1\r\nX-Forwarded-Host: evil.example, evil.example\r\nForwarded: host=evil.example\r\n',
];

function shapesOf(path: string, target: Target, more = ''): readonly Shape[] {
  const request = (hosts: string, where = path): string => `GET ${where} HTTP/1.1\r\n${hosts}${more}\r\n`;
  return [
    ...HOSTS_TWICE.map((hosts) => ({ kind: 'two hosts', target, bytes: request(hosts) })),
    { kind: 'no host', target, bytes: request('') },
    ...HOSTS_UNREADABLE.map((hosts) => ({ kind: 'odd host', target, bytes: request(hosts) })),
    { kind: 'odd host', target, bytes: request('Host: 127.0.0.1\r\n', `http://evil.example${path}`) },
    { kind: 'odd host', target, bytes: request('Host: 127.0.0.1\r\n', `//evil.example${path}`) },
    { kind: 'odd host', target, bytes: request('Host: 127.0.0.1\r\n', 'http://[') },
  ];
}

const SHAPES: readonly Shape[] = [
  ...shapesOf('/healthz', 'platform'),
  ...shapesOf('/ws?session_id=a&access_token=b', 'platform', UPGRADE),
  ...shapesOf('/v1/health', 'proxy'),
];

/** Requests with two `Host` headers, none, or one that is no host. */
export const hosts: Attack = {
  name: 'hosts',
  summary: 'sends two Host headers, none, or one that is no host',
  allowed: ['two hosts: HTTP 400', 'no host: HTTP 400', /^odd host: (?:HTTP (?:200|4\d\d)|dropped)$/],
  required: ['two hosts: HTTP 400', 'no host: HTTP 400'],
  async run(context) {
    await context.repeat(8, { small: SHAPES.length, full: 20_000 }, async (index) => {
      const shape = SHAPES[index % SHAPES.length];
      if (shape === undefined) return;
      const { statuses } = await exchange(context, shape.target, shape.bytes, 5);
      context.count(`${shape.kind}: ${statuses[0] === undefined ? 'dropped' : `HTTP ${statuses[0]}`}`);
    });
  },
};
