import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SESSION_PATH } from '../../test/fake-upstream.ts';
import {
  createProxyFixture,
  type LogLine,
  PAGE_ORIGIN,
  type ProxyFixture,
  SESSION_ID,
} from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';
import type { TokenProxyOptions } from '../options.ts';
import { nodeHandshake } from '../probe/node-handshake.ts';

const PAIR = { session_id: 'session-1', access_token: 'aa.secret-payload.cc' };

let fixture: ProxyFixture;
let host: Server;
let url: string;
/** The messaging host's response to a handshake. */
let answer: (origin: string | undefined, path: string) => string;
beforeEach(async () => {
  answer = () => '400 Bad Request';
  host = createServer();
  host.on('upgrade', ({ headers, url: path }, socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(
      `HTTP/1.1 ${answer(headers.origin, path ?? '')}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const address = host.address();
  if (address === null || typeof address === 'string') throw new Error('The host has no port.');
  url = `ws://127.0.0.1:${address.port}/ws`;
  fixture = await createProxyFixture({ websocketUrl: url, handshake: nodeHandshake });
});
afterEach(async () => {
  await fixture.upstream.close();
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
});

const warnings = ({ logLines }: ProxyFixture): readonly LogLine[] =>
  logLines.filter(({ level, message }) => level === 'warn' && message !== 'refused');
const probe = async () => (await fixture.post('/v1/probe', PAIR)).json();

describe('a page whose host the connector does not have', () => {
  it('distinguishes a refused page from an invalid session by a handshake without an origin', async () => {
    answer = (origin) => (origin ? '401 Unauthorized' : '101 Switching Protocols\r\nUpgrade: websocket');
    expect(await probe()).toEqual({ handshake: 'refused', status: 401, reason: 'origin' });
    await probe();
    // At most once a minute, for any number of visitors.
    expect(warnings(fixture).slice(1)).toEqual([
      {
        level: 'warn',
        fields: {
          connector: 'default',
          origin: PAGE_ORIGIN,
          setting: 'hosts of the connector at the platform',
        },
        message: expect.stringContaining(PAGE_ORIGIN),
      },
    ]);
    fixture.clock.advance(60_000);
    await probe();
    expect(warnings(fixture)).toHaveLength(3);
    expect(JSON.stringify(fixture.logLines)).not.toMatch(/secret-payload|session-1/);
    answer = () => '401 Unauthorized';
    expect(await probe()).toEqual({ handshake: 'refused', status: 401 });
  });
});

describe('an address of the socket that leads nowhere', () => {
  it('reports an unreachable socket address with its setting and the fault, to the log and to the page', async () => {
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
    expect(await probe()).toEqual({ handshake: 'unknown', fault: 'ECONNREFUSED' });
    expect(warnings(fixture).at(-1)).toEqual({
      level: 'warn',
      fields: { websocketUrl: url, fault: 'ECONNREFUSED', setting: 'NATTER_WEBSOCKET_URL (websocketUrl)' },
      message: `cannot reach the socket address for browsers: ${url} (ECONNREFUSED)`,
    });
  });

  it('detects a wrong socket address with the first session, even if another server responds there', async () => {
    answer = () => '404 Not Found';
    await fixture.post('/v1/session', {});
    await expect
      .poll(() => warnings(fixture).at(-1)?.fields)
      .toMatchObject({ websocketUrl: url, fault: 'status 404' });
    expect(await probe()).toEqual({ handshake: 'unreachable', status: 404, fault: 'status 404' });
  });

  it('reports neither a working socket address nor an ended session', async () => {
    await fixture.post('/v1/session', {});
    answer = (_, path) => (path === '/ws' ? '400 Bad Request' : '404 Not Found');
    expect(await probe()).toEqual({ handshake: 'refused', status: 404 });
    expect(warnings(fixture).filter(({ fields }) => 'fault' in fields)).toEqual([]);
  });
});

it('logs a missing agent without reporting it to the page', async () => {
  fixture.upstream.script(SESSION_PATH, [
    { status: 200, body: { session_id: SESSION_ID, missing_agent: 'nobody' } },
  ]);
  const response = await fixture.post('/v1/session', {});
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain('nobody');
  expect(warnings(fixture).at(-1)).toEqual({
    level: 'warn',
    fields: { connector: 'default', agent: 'nobody', setting: 'agent of the project at the platform' },
    message: 'no agent answers visitors of the connector "default": the platform has no agent "nobody"',
  });
});

describe('the start', () => {
  const startWith = (more: Partial<TokenProxyOptions>): readonly string[] => {
    const lines: string[] = [];
    const log = {
      info: () => {},
      error: () => {},
      warn: (fields: object) => lines.push(JSON.stringify(fields)),
    };
    createTokenProxy({ ...fixture.options, ...more, log });
    return lines;
  };
  const LOOPBACK = 'ws://127.0.0.1:8080/ws';

  it.each([
    ['loopback to a public page', LOOPBACK, ['https://www.example.com'], 'https://www.example.com'],
    ['loopback to a page of the network', LOOPBACK, ['http://192.168.1.5'], 'http://192.168.1.5'],
    ['a private address', 'wss://10.1.2.3/ws', ['https://www.example.com'], 'https://www.example.com'],
    ['a name of this network', 'wss://platform/ws', ['https://www.example.com'], 'https://www.example.com'],
    [
      'one of several pages',
      'ws://[::1]:1/ws',
      ['http://localhost:1', 'https://a.example'],
      'https://a.example',
    ],
  ])('warns at the start where visitors would be given %s', (_, websocketUrl, allowedOrigins, origin) => {
    const [line] = startWith({ websocketUrl, allowedOrigins });
    expect(JSON.parse(line ?? '{}')).toEqual({
      websocketUrl,
      origin,
      setting: 'NATTER_WEBSOCKET_URL (websocketUrl)',
    });
  });

  it('names at the start the setting from which the socket address is derived', () => {
    const { websocketUrl: _, ...options } = fixture.options;
    const lines: string[] = [];
    const log = {
      info: () => {},
      error: () => {},
      warn: (fields: object) => lines.push(JSON.stringify(fields)),
    };
    createTokenProxy({ ...options, upstreamUrl: 'http://localhost:8080', log });
    expect(lines).toEqual([
      expect.stringMatching(/ws:\/\/localhost:8080\/ws.*derived from NATTER_UPSTREAM_URL/),
    ]);
  });

  it.each([
    [LOOPBACK, ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']],
    ['wss://platform.internal/ws', ['https://intranet', 'http://10.0.0.2']],
    ['wss://messaging.example.com/ws', ['https://www.example.com', 'http://localhost:3000']],
  ])('reports nothing at the start where %s is within reach of its pages', (websocketUrl, allowedOrigins) => {
    expect(startWith({ websocketUrl, allowedOrigins })).toEqual([]);
  });
});
