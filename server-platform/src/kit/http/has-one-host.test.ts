import { hasOneHost } from '@natter/server-kit/has-one-host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { openRawPeer, upgradeRequest } from '../../../test/realtime/raw-peer.ts';
import { startTestPlatform, type TestPlatform } from '../../../test/realtime/test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE);
});
afterAll(() => platform.stop());

async function send(request: string): Promise<string> {
  const peer = await openRawPeer(platform.messaging.port);
  peer.socket.write(request);
  return await peer.closed;
}

describe('a request that does not name its host once (RFC 9112, 3.2)', () => {
  it.each([
    ['two names', 'Host: 127.0.0.1\r\nHost: other.example\r\n'],
    ['one name twice', 'Host: 127.0.0.1\r\nhost: 127.0.0.1\r\n'],
    ['no name', ''],
    ['names that do not stand together', 'Host: 127.0.0.1\r\nAccept: */*\r\nHOST: other.example\r\n'],
  ])('refuses a request with 400 and closes the connection: %s', async (_name, hosts) => {
    const answer = await send(`GET /healthz HTTP/1.1\r\n${hosts}\r\nGET /healthz HTTP/1.1\r\n${hosts}\r\n`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });

  it.each([
    ['two names', (text: string) => text.replace('Host:', 'Host: other.example\r\nHost:')],
    ['no name', (text: string) => text.replace(/Host: .*\r\n/, '')],
  ])('refuses a handshake with another number of hosts than one: %s', async (_name, change) => {
    const { sessionId, accessToken } = await platform.startSession();
    const path = `/ws?session_id=${sessionId}&access_token=${accessToken}`;
    const answer = await send(change(upgradeRequest(path)));
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });

  it('accepts a request with one host whose other headers mention another', () => {
    const rawHeaders = ['Host', 'host', 'X-Host', 'Host', 'Accept', 'host'];
    expect(hasOneHost({ rawHeaders, httpVersion: '1.1' })).toBe(true);
  });
});

describe('a request in HTTP/1.0', () => {
  it('answers an HTTP/1.0 request without a host, as health checks send it', async () => {
    expect(await send('GET /readyz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 [\s\S]*"ready"/);
    expect(await send('GET /v1/alert-rules HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 40[14] /);
  });

  it('refuses an HTTP/1.0 request with two hosts', async () => {
    const answer = await send('GET /readyz HTTP/1.0\r\nHost: a.example\r\nHost: b.example\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});
