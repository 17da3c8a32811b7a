import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProxyFixture, makePost, PAGE_ORIGIN, type ProxyFixture } from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';
import { nodeHandshake } from './node-handshake.ts';

const PAIR = { session_id: 'session-1', access_token: 'aa.secret-payload.cc' };

let fixture: ProxyFixture;
/** Handshakes received by the messaging host. */
let seen: IncomingMessage[];
/** The response to further handshakes; null: none. */
let answer: string | null;
let host: { readonly url: string; close(): Promise<void> };

beforeEach(async () => {
  seen = [];
  answer = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
  const server = createServer();
  server.on('upgrade', (request, socket) => {
    seen.push(request);
    socket.on('error', () => socket.destroy());
    // An upgraded socket must be closed by this host.
    socket.on('end', () => socket.end()).resume();
    if (answer === null) socket.destroy();
    else socket.write(answer);
    if (answer && !answer.startsWith('HTTP/1.1 101')) socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The host has no port.');
  host = {
    url: `ws://127.0.0.1:${address.port}/ws`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  fixture = await createProxyFixture({ websocketUrl: host.url, handshake: nodeHandshake });
});
afterEach(async () => {
  await fixture.upstream.close();
  await host.close();
});

const refusal = (status: string, headers = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Length: 2\r\n${headers}Connection: close\r\n\r\n{}`;

describe('POST /v1/probe', () => {
  it("probes with the page's own handshake, and reads no event of the conversation", async () => {
    const response = await fixture.post('/v1/probe', PAIR);
    expect(await response.json()).toEqual({ handshake: 'accepted', status: 101, has_chat: false });
    const [request] = seen;
    expect(request?.headers).toMatchObject({ upgrade: 'websocket', origin: PAGE_ORIGIN });
    const { searchParams, pathname } = new URL(request?.url ?? '', 'http://host');
    expect(pathname).toBe('/ws');
    expect(Object.fromEntries(searchParams)).toEqual({ ...PAIR, cursor: '9007199254740991' });
  });

  it.each([
    ['400 Bad Request', 'refused', 400],
    ['401 Unauthorized', 'refused', 401],
    ['403 Forbidden', 'refused', 403],
    ['404 Not Found', 'refused', 404],
    ['500 Internal Server Error', 'unreachable', 500],
    ['302 Found', 'unreachable', 302],
  ])('explains what %s means for the page', async (line, handshake, status) => {
    answer = refusal(line);
    const response = await fixture.post('/v1/probe', PAIR);
    expect([response.status, await response.json()]).toEqual([200, { handshake, status }]);
  });

  it.each([
    ['Retry-After: 12\r\n', 12],
    ['Retry-After: 1.5\r\n', 2],
    ['', 5],
  ])('says how long to wait after 429 with %j', async (header, seconds) => {
    answer = refusal('429 Too Many Requests', header);
    expect(await (await fixture.post('/v1/probe', PAIR)).json()).toEqual({
      handshake: 'busy',
      status: 429,
      retry_after_seconds: seconds,
    });
  });

  it.each([
    ['while the messaging host is away', 503, 'unreachable'],
    ['of a host that is up', 200, 'unknown'],
  ])('does not take a silent socket %s for a refusal', async (_, status, handshake) => {
    fixture.upstream.script('/readyz', [{ status, body: {} }]);
    answer = null;
    const probe = async () => (await fixture.post('/v1/probe', PAIR)).json();
    expect(await probe()).toEqual({ handshake, fault: 'ECONNRESET' });
    await host.close();
    expect(await probe()).toEqual({ handshake, fault: 'ECONNREFUSED' });
  });

  it('treats a silent socket that worked before as an outage, not as a refusal', async () => {
    await fixture.post('/v1/session', {});
    // Explored by a handshake without a session.
    await expect.poll(() => seen.map(({ url }) => url)).toEqual(['/ws']);
    answer = null;
    // The first response may still be in flight.
    await expect
      .poll(async () => (await fixture.post('/v1/probe', PAIR)).json())
      .toEqual({ handshake: 'unreachable', fault: 'ECONNRESET' });
  });

  it('does not wait for a host that does not respond', async () => {
    answer = '';
    fixture.upstream.script('/readyz', [{ status: 503, body: {} }]);
    const proxy = createTokenProxy({ ...fixture.options, attemptTimeoutMs: 50 });
    const response = await proxy(makePost('/v1/probe', PAIR));
    expect(await response.json()).toEqual({ handshake: 'unreachable', fault: 'ETIMEDOUT' });
  });

  it('reports when it has no way to probe', async () => {
    const { handshake: _, ...options } = fixture.options;
    const response = await createTokenProxy(options)(makePost('/v1/probe', PAIR));
    expect(await response.json()).toEqual({ handshake: 'unknown' });
    expect(seen).toEqual([]);
  });

  it('reveals neither session id nor token in responses and log lines', async () => {
    for (const line of ['401 Unauthorized', '500 Failure']) {
      answer = refusal(line, `Location: /?access_token=${PAIR.access_token}\r\n`);
      const response = await fixture.post('/v1/probe', PAIR);
      expect(await response.text()).not.toMatch(/secret-payload|session-1/);
    }
    // The socket's address is no secret, because every visitor gets it.
    const log = JSON.stringify(fixture.logLines).replaceAll(host.url, '');
    expect(log).not.toMatch(/secret-payload|session-1|127\.0\.0\.1/);
  });

  it('counts POST /v1/probe against the limit of resumes', async () => {
    const proxy = createTokenProxy({ ...fixture.options, limits: { resumesPerClient: 2 } });
    const statuses: number[] = [];
    for (let request = 0; request < 3; request += 1)
      statuses.push((await proxy(makePost('/v1/probe', PAIR), { clientAddress: '203.0.113.1' })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(seen).toHaveLength(2);
  });

  it.each([
    [{ session_id: 'x' }, '"access_token" is missing'],
    [{ session_id: '', access_token: 'x' }, '"session_id" must be'],
    [{ session_id: 'x', access_token: 'a b' }, '"access_token" must be'],
    [{ ...PAIR, url: 'http://elsewhere' }, 'Unknown field "url"'],
  ])('POST /v1/probe refuses %j', async (body, text) => {
    const response = await fixture.post('/v1/probe', body);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { message: expect.stringContaining(text) },
    ]);
    expect(seen).toEqual([]);
  });
});
