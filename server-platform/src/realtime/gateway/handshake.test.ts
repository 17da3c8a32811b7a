import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { openRawPeer, upgradeRequest } from '../../../test/realtime/raw-peer.ts';
import { readVectors } from '../../../test/realtime/read-vectors.ts';
import {
  startTestPlatform,
  type TestPlatform,
  type TestSession,
} from '../../../test/realtime/test-platform.ts';
import { readHandshakeParameters } from './handshake.ts';

const UNKNOWN = '8f14e45f-ceea-467f-a0e6-1b8a5c3d2e10';

let platform: TestPlatform;
let session: TestSession;
beforeAll(async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE);
  session = await platform.startSession();
});
afterAll(() => platform.stop());

const path = (sessionId: string, accessToken: string, rest = ''): string =>
  `/ws?session_id=${sessionId}&access_token=${accessToken}${rest}`;

async function expectRefusal(
  url: string,
  status: number,
  text: string,
  code: string,
  headers: Record<string, string> = {},
): Promise<Headers> {
  const answer = await platform.handshake(url, headers);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({
    success: false,
    message: text,
    error: text,
    error_message: text,
    error_code: code,
    error_id: answer.headers.get('x-correlation-id'),
    data: null,
  });
  expect(answer.headers.get('content-type')).toContain('application/json');
  return answer.headers;
}

describe('a handshake', () => {
  // Every case violates its own row of WS-2 and as many later rows as possible.
  it.each([
    ['/ws'],
    ['/ws?session_id=x'],
    ['/ws?access_token=x'],
    ['/ws?session_id=&access_token=x'],
    ['/ws?session_id=&session_id=a&access_token=x'],
  ])('without its parameters is refused with 400: %s', async (url) => {
    await expectRefusal(url, 400, 'invalid connection parameters', 'INVALID_CONNECTION_PARAMETERS');
  });

  it('refuses a handshake with a bad token with 401 even for an unknown session', async () => {
    await expectRefusal(path(UNKNOWN, 'x.y.z'), 401, 'authentication failed', 'AUTHENTICATION_FAILED');
  });

  it.each([UNKNOWN, 'no-uuid', "x'--"])('for the unknown session %s is refused with 404', async (id) => {
    await expectRefusal(
      path(encodeURIComponent(id), session.accessToken),
      404,
      'session not found',
      'SESSION_NOT_FOUND',
    );
  });

  it("refuses a handshake with another identity's token with 401", async () => {
    const token = await platform.mintToken();
    await expectRefusal(
      path(session.sessionId, token),
      401,
      'authentication failed',
      'AUTHENTICATION_FAILED',
    );
  });

  it('refuses a handshake from a foreign page with 401 before looking up the session', async () => {
    const headers = { Origin: 'https://evil.test' };
    for (const id of [session.sessionId, UNKNOWN]) {
      await expectRefusal(
        path(id, session.accessToken),
        401,
        'authentication failed',
        'AUTHENTICATION_FAILED',
        headers,
      );
    }
  });

  it.each(['https://example.com', 'https://www.example.com', 'null'])('from %s is taken', async (origin) => {
    const answer = await platform.handshake(path(session.sessionId, session.accessToken), { Origin: origin });
    expect(answer.status).toBe(101);
  });

  it('accepts a handshake with an absolute URL, as proxies may send it (RFC 9112, 3.2.2)', async () => {
    const url = `http://natter.example:80${path(session.sessionId, session.accessToken)}`;
    expect((await platform.handshake(url)).status).toBe(101);
    await expectRefusal('http://natter.example/elsewhere?/ws', 404, 'Resource not found', 'NOT_FOUND');
  });

  it('returns the correlation id of an accepted handshake (HTTP-2)', async () => {
    const url = path(session.sessionId, session.accessToken);
    const { headers } = await platform.handshake(url, { 'X-PolyAI-Correlation-Id': 'abc-1' });
    expect(headers.get('x-correlation-id')).toBe('abc-1');
  });

  it('returns the correlation id of a refused handshake', async () => {
    const headers = await expectRefusal(
      '/ws',
      400,
      'invalid connection parameters',
      'INVALID_CONNECTION_PARAMETERS',
      {
        'X-Correlation-Id': 'abc-1',
      },
    );
    expect(headers.get('x-correlation-id')).toBe('abc-1');
  });

  it('refuses a handshake at another path with 404', async () => {
    await expectRefusal('/elsewhere', 404, 'Resource not found', 'NOT_FOUND');
  });

  it('refuses an invalid WebSocket handshake with the usual body and the supported version', async () => {
    const headers = await expectRefusal(
      path(session.sessionId, session.accessToken),
      400,
      'invalid connection parameters',
      'INVALID_CONNECTION_PARAMETERS',
      { 'Sec-WebSocket-Version': '7' },
    );
    expect(headers.get('sec-websocket-version')).toBe('13');
  });

  it('refuses a handshake with another method with 405 and the allowed method (HTTP-7)', async () => {
    const peer = await openRawPeer(platform.messaging.port);
    const request = upgradeRequest(path(session.sessionId, session.accessToken));
    peer.socket.write(request.replace(/^GET/, 'POST'));
    const answer = await peer.closed;
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/^allow: GET\r$/im);
    expect(answer).toContain('"error_code":"METHOD_NOT_ALLOWED"');
  });

  it('joins the same session, with the same slots, under an id in upper case', async () => {
    const own = await platform.startSession();
    const upper = { ...own, sessionId: own.sessionId.toUpperCase() };
    const sockets = await Promise.all(Array.from({ length: 10 }, () => platform.connect(upper)));
    expect((await platform.handshake(path(own.sessionId, own.accessToken))).status).toBe(429);
    const [first, second] = sockets;
    first?.send('REQUEST_AGENT_JOIN');
    await second?.next('AGENT_JOINED');
    await Promise.all(sockets.map((socket) => socket.close()));
  });

  it('selects no sub-protocol (WS-1)', async () => {
    const peer = await openRawPeer(platform.messaging.port);
    const headers = { 'Sec-WebSocket-Protocol': 'chat, superchat' };
    peer.socket.write(upgradeRequest(path(session.sessionId, session.accessToken), headers));
    await peer.sees('SESSION_START');
    expect(peer.received).toMatch(/^HTTP\/1\.1 101 /);
    expect(peer.received.toLowerCase()).not.toContain('sec-websocket-protocol');
    await peer.reset();
  });

  it('answers 426 with an explanation when the Upgrade header was lost on the way', async () => {
    const answer = await fetch(`${platform.url}${path(session.sessionId, session.accessToken)}`);
    expect(answer.status).toBe(426);
    expect(answer.headers.get('upgrade')).toBe('websocket');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const body = JSON.parse(await answer.text());
    expect(body).toMatchObject({ success: false, error_code: 'UPGRADE_REQUIRED', data: null });
    expect(body.message).toContain(
      'configure the proxy in between to forward the headers Upgrade and Connection',
    );
    expect(body.error_id).toBe(answer.headers.get('x-correlation-id'));
  });

  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/ws', 426],
    ['POST', '/ws', 405],
  ])(
    'that asks for another protocol than WebSocket is a plain request: %s %s',
    async (method, url, status) => {
      const peer = await openRawPeer(platform.messaging.port);
      const upgrade = method === 'GET' ? 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n' : '';
      peer.socket.write(`${method} ${url} HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`);
      await peer.sees('\r\n\r\n');
      expect(peer.received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      await peer.reset();
    },
  );

  it('accepts a handshake with an invalid cursor', async () => {
    const socket = await platform.connect(session, 'abc');
    await socket.next('SESSION_START');
    await socket.close();
  });

  it('refuses the 11th socket with 429, and accepts it once another has closed', async () => {
    const own = await platform.startSession();
    const sockets = await Promise.all(Array.from({ length: 10 }, () => platform.connect(own)));
    const headers = await expectRefusal(
      path(own.sessionId, own.accessToken),
      429,
      'connection limit exceeded for session',
      'CONNECTION_LIMIT_EXCEEDED',
    );
    expect(headers.get('retry-after')).toBe('5');
    await sockets[0]?.close();
    const last = await platform.connect(own);
    expect((await platform.handshake(path(own.sessionId, own.accessToken))).status).toBe(429);
    await Promise.all([...sockets.slice(1), last].map((socket) => socket.close()));
  });

  it('counts sockets that are still opening', async () => {
    const own = await platform.startSession();
    const answers = await Promise.allSettled(Array.from({ length: 14 }, () => platform.connect(own)));
    const open = answers.filter((answer) => answer.status === 'fulfilled');
    expect(open).toHaveLength(10);
    await Promise.all(open.map(({ value }) => value.close()));
  });
});

describe('the cursor parameter', () => {
  const { query } = readVectors<{
    readonly query: readonly { readonly name: string; readonly query: string; readonly expect: number }[];
  }>('cursor.json');

  it.each(query.map((each) => [each.name, each] as const))('vector: %s', (_name, each) => {
    expect(readHandshakeParameters(`/ws?${each.query}`)?.cursor).toBe(each.expect);
  });
});
