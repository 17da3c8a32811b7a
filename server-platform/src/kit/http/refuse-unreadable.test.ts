import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { openRawPeer, upgradeRequest } from '../../../test/realtime/raw-peer.ts';
import { startTestPlatform, type TestPlatform } from '../../../test/realtime/test-platform.ts';

let platform: TestPlatform | undefined;
afterEach(() => platform?.stop());

async function send(request: string): Promise<string> {
  const peer = await openRawPeer(platform?.messaging.port ?? 0);
  peer.socket.write(request);
  return await peer.closed;
}

describe('a request that the parser gives up', () => {
  it('answers oversized headers with 431 and an error that any page can read', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { maxHeaderBytes: 2_048 } });
    const cookies = `Cookie: ${'c'.repeat(3_000)}\r\n`;
    const requests = [
      `GET /v3/kittiwake/web/conversations HTTP/1.1\r\nHost: 127.0.0.1\r\n${cookies}\r\n`,
      upgradeRequest('/ws?session_id=s&access_token=t').replace('\r\n\r\n', `\r\n${cookies}\r\n`),
    ];
    for (const request of requests) {
      const [head = '', body = ''] = (await send(request)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
      expect(head).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
      expect(JSON.parse(body)).toMatchObject({
        success: false,
        error_message: "The request's headers are larger than 2048 bytes (limits.maxHeaderBytes)",
      });
    }
  });

  it('answers bytes that are not HTTP with 400', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    expect(await send('ahoy\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*not a request in HTTP\/1\.1/);
  });

  it('accepts a request with many cookies, and keeps its connection longer than load balancers do', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    const url = `http://127.0.0.1:${platform.messaging.port}/livez`;
    const response = await fetch(url, { headers: { cookie: `c=${'c'.repeat(40_000)}` } });
    expect([response.status, response.headers.get('keep-alive')]).toEqual([200, 'timeout=75']);
  });
});
