import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { openRawPeer, type RawPeer } from '../../../test/realtime/raw-peer.ts';
import { startTestPlatform, type TestPlatform } from '../../../test/realtime/test-platform.ts';
import { startPlatform } from '../../app/start-platform.ts';
import { createLogger } from '../../kit/logger.ts';
import { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from '../messaging-limits.ts';

const HEAD =
  'POST /api/v1/access-token HTTP/1.1\r\nHost: a\r\nX-Token: connector-token\r\nX-Host: example.com\r\n';

let platform: TestPlatform;
const running: TestPlatform[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});

async function start(limits: Partial<MessagingLimits>): Promise<void> {
  platform = await startTestPlatform(EMBEDDED_ENGINE, { limits });
  running.push(platform);
}

async function send(text: string): Promise<RawPeer> {
  const peer = await openRawPeer(platform.messaging.port);
  peer.socket.write(text);
  return peer;
}

describe('a request that does not come to its end', () => {
  const SHORT = { requestHeadersMs: 100, requestMs: 200, keepAliveMs: 100 };

  it('limits request heads to 15 s, whole requests to 30 s, and idle connections to 75 s', () => {
    expect(DEFAULT_MESSAGING_LIMITS).toMatchObject({
      requestHeadersMs: 15_000,
      requestMs: 30_000,
      keepAliveMs: 75_000,
    });
  });

  it.each([
    ['says nothing', ''],
    ['breaks off in its head', HEAD],
    ['breaks off in the head of a handshake', 'GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgr'],
    ['announces a body and sends a part of it', `${HEAD}Content-Length: 1000\r\n\r\n{`],
    ['sends a body in chunks without a last one', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
    ['has a body that nobody asked for', 'GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'],
    ['comes after one that was answered', `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n${HEAD}`],
    ['never comes after one that was answered', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('loses its connection when it %s', async (_name, text) => {
    await start(SHORT);
    const peer = await send(text);
    await peer.closed;
    // A busy machine may be too slow for a whole request within these limits, so retry.
    await expect.poll(async () => (await fetch(`${platform.url}/healthz`)).status).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['a part of its head', HEAD],
    ['a part of its body', `${HEAD}Content-Length: 1000\r\n\r\n{`],
  ])('gets no answer when its peer ends the connection after %s', async (_name, text) => {
    await start({});
    const peer = await send(text);
    peer.socket.end();
    expect(await peer.closed).toBe('');
  });

  it('closes the oldest unfinished requests when an address has too many', async () => {
    await start({ maxUnfinishedRequests: 10 });
    const parts = [HEAD, `${HEAD}Content-Length: 9\r\n\r\n{`, ''];
    const oldest = await Promise.all(Array.from({ length: 12 }, (_, n) => send(parts[n % 3] ?? '')));
    const later = await Promise.all(Array.from({ length: 10 }, () => send(HEAD)));
    await Promise.all(oldest.map(({ closed }) => closed));
    // Not closed by timeout, for which Node sends 408.
    expect(oldest.map(({ received }) => received)).toEqual(oldest.map(() => ''));
    expect(later.every((peer) => !peer.socket.destroyed)).toBe(true);
    const { socket } = await platform.converse();
    await socket.close();
    await Promise.all(later.map((peer) => peer.reset()));
  });

  it('serves many concurrent requests from one address if each completes soon', async () => {
    await start({ maxUnfinishedRequests: 10 });
    const peers = await Promise.all(Array.from({ length: 50 }, () => send('GET /healthz HTTP/1.1\r\n')));
    for (const peer of peers) peer.socket.write('Host: a\r\n\r\n');
    await Promise.all(peers.map((peer) => peer.sees('HTTP/1.1 200')));
    await Promise.all(peers.map((peer) => peer.reset()));
  });
});

describe('a client that breaks its upload off', () => {
  it('counts an aborted upload in its own metric, without an error in the log', async () => {
    const lines: string[] = [];
    const whole = await startPlatform({
      dataDir: 'memory',
      port: 0,
      logger: createLogger('debug', { write: (line) => lines.push(line) }),
    });
    try {
      for (const path of ['/api/v1/access-token', '/api/v1/sessions', '/api/v1/sessions/x/context']) {
        const peer = await openRawPeer(whole.port);
        peer.socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{`);
        await fetch(`${whole.url}/healthz`);
        await peer.reset();
      }
      const aborted = () =>
        lines.map((line) => JSON.parse(line)).filter(({ err }) => err?.type === 'UploadAborted');
      await expect.poll(() => aborted().length).toBe(3);
      for (const { level, correlationId } of aborted()) {
        expect(level).toBe(20);
        expect(correlationId).toMatch(/^[0-9a-f-]{36}$/);
      }
      expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)).toEqual([]);
    } finally {
      await whole.close();
    }
  });
});
