import { once } from 'node:events';
import { connect } from 'node:net';
import { LIMITS } from 'natter/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { type FakeSocketHost, startFakeSocketHost } from '../../test/fake-socket-host.ts';
import {
  createProxyFixture,
  PAGE_HEADERS,
  PAGE_ORIGIN,
  type ProxyFixture,
  SESSION_ID,
} from '../../test/proxy-fixture.ts';
import { isRecord } from '../kit/is-record.ts';
import { type RunningTokenProxy, type StartOptions, startTokenProxy } from '../node.ts';

const OTHER_ORIGIN = 'https://shop.kittiwake.example';
const MEGABYTE = 1_048_576;
// Kernel buffers of two local connections, with a margin.
const KERNEL_BYTES = 24 * MEGABYTE;

let fixture: ProxyFixture;
let host: FakeSocketHost;
let running: RunningTokenProxy;
const browsers: WebSocket[] = [];
/** Everything the proxy returned, to search for secrets. */
let answers: string[];

beforeEach(async () => {
  answers = [];
  fixture = await createProxyFixture();
  host = await startFakeSocketHost(LIMITS.hardMaxFrameBytes);
});
afterEach(async () => {
  for (const browser of browsers.splice(0)) browser.terminate();
  await running.close();
  await host.close();
  await fixture.upstream.close();
  const secrets = [fixture.accessToken.split('.')[1] ?? '', new URL(host.url).host];
  for (const text of answers) for (const secret of secrets) expect(text).not.toContain(secret);
  expect(JSON.stringify(fixture.logLines)).not.toMatch(/ticket=|cursor=|eyJ/);
});

async function start(options: Partial<StartOptions> = {}): Promise<void> {
  running = await startTokenProxy({
    ...fixture.options,
    allowedOrigins: [PAGE_ORIGIN, OTHER_ORIGIN],
    websocketUrl: host.url,
    relay: true,
    ...options,
  });
}

async function post(
  path: string,
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<{
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly cookie: string | null;
}> {
  const response = await fetch(`${running.url}${path}`, {
    method: 'POST',
    headers: { ...PAGE_HEADERS, ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  answers.push(text, JSON.stringify([...response.headers]));
  const parsed: unknown = JSON.parse(text);
  if (!isRecord(parsed)) throw new Error('This is no JSON object.');
  return { status: response.status, body: parsed, cookie: response.headers.get('set-cookie') };
}

const takeTicket = async (): Promise<string> => String((await post('/v1/session')).body['relay_ticket']);

function openSocket(ticket: string, more: string = '', options: ClientOptions = {}): WebSocket {
  const url = `${running.url.replace('http', 'ws')}/v1/ws?${new URLSearchParams({ ticket })}${more}`;
  const browser = new WebSocket(url, { origin: PAGE_ORIGIN, ...options });
  browser.on('error', () => {});
  browsers.push(browser);
  return browser;
}

/** Opens a socket of a new session; resolves with both of its ends. */
async function openPair(): Promise<{ readonly browser: WebSocket; readonly platform: WebSocket }> {
  const browser = openSocket(await takeTicket());
  const [platform] = await Promise.all([host.nextSocket(), once(browser, 'open')]);
  return { browser, platform };
}

/** Resolves with the status and body of a handshake that has to be refused. */
function refusalOf(browser: WebSocket): Promise<readonly [status: number, code: unknown, body: unknown]> {
  return new Promise((resolve, reject) => {
    browser.once('open', () => reject(new Error('The handshake was accepted.')));
    browser.once('unexpected-response', (_, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        answers.push(text, JSON.stringify(response.headers));
        const body: unknown = JSON.parse(text);
        resolve([response.statusCode ?? 0, isRecord(body) && body['code'], body]);
      });
    });
  });
}

/** Resolves with `open`, or the code of the refusal. */
const outcomeOf = (browser: WebSocket): Promise<unknown> =>
  new Promise((resolve, reject) => {
    browser.once('open', () => resolve('open'));
    refusalOf(browser).then(([, code]) => resolve(code), reject);
  });

const refused = async (ticket: string, options?: ClientOptions): Promise<readonly unknown[]> =>
  (await refusalOf(openSocket(ticket, '', options))).slice(0, 2);

const nextMessage = async (socket: WebSocket): Promise<readonly [text: string, isBinary: boolean]> => {
  const [data, isBinary] = await once(socket, 'message');
  return [String(data), isBinary];
};

const closeOf = async (socket: WebSocket): Promise<readonly [code: number, reason: string]> => {
  const [code, reason] = await once(socket, 'close');
  return [code, String(reason)];
};

describe('a session whose socket is relayed', () => {
  it('answers a relayed session with a ticket, without token and host', async () => {
    await start();
    const { body } = await post('/v1/session');
    expect(body).toMatchObject({
      session_id: SESSION_ID,
      access_token: '',
      websocket_url: '',
      vocabulary: 'neutral',
    });
    expect(body['relay_ticket']).toMatch(/^eyJ/);
    const resumed = await post('/v1/resume', { resume_ticket: body['resume_ticket'] });
    expect(resumed.body).toMatchObject({ session_id: SESSION_ID, access_token: '', websocket_url: '' });
    expect(resumed.body['relay_ticket']).not.toBe(body['relay_ticket']);
  });

  it('issues further relay tickets without storing anything in the browser', async () => {
    await start();
    const headers = { 'Sec-Fetch-Site': 'same-site' };
    const { body, cookie } = await post('/v1/session', {}, headers);
    expect([body['resume_by'], cookie]).toEqual(['cookie', null]);
    const next = await post('/v1/relay', { resume_ticket: body['resume_ticket'] }, headers);
    expect(next).toMatchObject({ status: 200, cookie: null });
    expect(Object.keys(next.body)).toEqual(['relay_ticket', 'expires_in_seconds']);
    const browser = openSocket(String(next.body['relay_ticket']));
    await once(browser, 'open');
    expect((await post('/v1/relay', { resume_ticket: 'none' })).body['code']).toBe('RESUME_TICKET_INVALID');
  });

  it('issues no relay ticket while the platform is not ready, so that no browser logs the address', async () => {
    await start();
    const { body } = await post('/v1/session');
    fixture.upstream.script('/readyz', [{ status: 503, body: {} }]);
    const answer = await post('/v1/relay', { resume_ticket: body['resume_ticket'] });
    expect([answer.status, answer.body['code']]).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
  });

  it('probes a relayed session by its ticket', async () => {
    await start();
    const { body } = await post('/v1/session');
    const probe = async (): Promise<unknown> =>
      (await post('/v1/probe', { resume_ticket: body['resume_ticket'] })).body;
    expect(await probe()).toEqual({ handshake: 'accepted', status: 101, has_chat: false });
    host.answer = { raw: 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n' };
    expect(await probe()).toEqual({ handshake: 'refused', status: 404 });
    await post('/v1/logout', { resume_ticket: body['resume_ticket'] });
    expect(await probe()).toEqual({ handshake: 'refused' });
  });

  it('has no relay routes on a proxy without a relay', async () => {
    await start({ relay: false });
    expect((await post('/v1/relay')).status).toBe(404);
    expect(await refused('none')).toEqual([404, 'NOT_FOUND']);
  });
});

describe('a relayed socket', () => {
  it("opens a relayed socket on the platform with session, token, cursor, origin and visitor's address", async () => {
    await start({ trustedProxyHops: 1, basePath: '/chat' });
    const options = { headers: { 'X-Forwarded-For': '203.0.113.9' } };
    const browser = openSocket(await takeTicket(), '&cursor=17&session_id=other', options);
    await once(browser, 'open');
    const [handshake] = host.seen;
    const { pathname, searchParams } = new URL(handshake?.url ?? '', 'http://host');
    expect(pathname).toBe('/ws');
    expect(Object.fromEntries(searchParams)).toEqual({
      session_id: SESSION_ID,
      access_token: fixture.accessToken,
      cursor: '17',
    });
    expect(handshake?.headers).toMatchObject({ origin: PAGE_ORIGIN, 'x-forwarded-for': '203.0.113.9' });
    expect(handshake?.headers).not.toHaveProperty('cookie');
    expect(browser.extensions).toBe('');
  });

  it('forwards frames unchanged in both directions', async () => {
    await start();
    const { browser, platform } = await openPair();
    for (const [from, to] of [
      [browser, platform],
      [platform, browser],
    ] as const) {
      for (const sent of ['grüße', 'x'.repeat(300_000), Buffer.from([1, 2, 3])]) {
        const arrived = nextMessage(to);
        from.send(sent);
        expect(await arrived).toEqual([String(sent), typeof sent !== 'string']);
      }
    }
  });

  it('forwards frames that the platform sends with its handshake', async () => {
    await start();
    void host.nextSocket().then((platform) => platform.send('first'));
    const browser = openSocket(await takeTicket());
    expect(await nextMessage(browser)).toEqual(['first', false]);
  });

  it('forwards pings and pongs, so that the platform detects a lost browser', async () => {
    await start();
    const { browser, platform } = await openPair();
    const pong = once(platform, 'pong');
    platform.ping('are you there');
    expect(String((await pong)[0])).toBe('are you there');
    browser.pause();
    let answered = 0;
    platform.on('pong', () => {
      answered += 1;
    });
    platform.ping();
    const message = nextMessage(platform);
    browser.send('after it');
    await message;
    expect(answered).toBe(0);
  });

  it.each([
    [1000, ''],
    [1008, 'too many frames'],
    [4001, 'connector revoked'],
  ])('carries the close code %i and its reason, both ways', async (code, reason) => {
    await start();
    for (const isFromPlatform of [true, false]) {
      const { browser, platform } = await openPair();
      const closed = closeOf(isFromPlatform ? browser : platform);
      (isFromPlatform ? platform : browser).close(code, reason);
      expect(await closed).toEqual([code, reason]);
    }
  });

  it('closes a relayed socket when the other end closes', async () => {
    await start();
    const first = await openPair();
    const lost = closeOf(first.browser);
    first.platform.terminate();
    expect((await lost)[0]).toBe(1006);
    const second = await openPair();
    const left = closeOf(second.platform);
    second.browser.terminate();
    expect((await left)[0]).toBe(1006);
    await expect
      .poll(() => fixture.logLines.filter(({ message }) => message === 'socket closed'))
      .toHaveLength(2);
  });

  it('leaves it to the platform to refuse an oversized frame, without buffering it', async () => {
    await start();
    const { browser } = await openPair();
    const closed = closeOf(browser);
    browser.send('x'.repeat(LIMITS.hardMaxFrameBytes + 1));
    expect((await closed)[0]).toBe(1009);
  });

  it.each(['browser', 'platform'] as const)('holds little for a %s that does not read', async (deaf) => {
    await start();
    const pair = await openPair();
    const [reader, writer] =
      deaf === 'browser' ? [pair.browser, pair.platform] : [pair.platform, pair.browser];
    reader.pause();
    const frames = 96;
    const frame = Buffer.alloc(MEGABYTE - 1, 'x');
    for (let count = 0; count < frames; count += 1) writer.send(frame);
    // The bytes left at the writer once nothing moves any more are neither in the kernel nor in the proxy.
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = before === writer.bufferedAmount;
          before = writer.bufferedAmount;
          return isStill;
        },
        { interval: 200 },
      )
      .toBe(true);
    expect(writer.bufferedAmount).toBeGreaterThan(frames * MEGABYTE - KERNEL_BYTES);
    let arrived = 0;
    reader.on('message', () => {
      arrived += 1;
    });
    reader.resume();
    await expect.poll(() => arrived).toBe(frames);
  });

  it('closes relayed sockets with 1001 on shutdown', async () => {
    await start();
    const { browser, platform } = await openPair();
    const ends = [closeOf(browser), closeOf(platform)];
    await running.close();
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([1001, 1006]);
  });

  it('closes relayed sockets on shutdown although the browser does not respond', async () => {
    await start();
    const { browser, platform } = await openPair();
    browser.pause();
    const left = closeOf(platform);
    await running.close();
    await left;
  });
});

describe('a handshake with the relay', () => {
  it('requires a ticket of this proxy for a relay handshake, and accepts each ticket once', async () => {
    await start();
    const { body } = await post('/v1/session');
    const ticket = String(body['relay_ticket']);
    for (const wrong of ['', 'none', String(body['resume_ticket']), `${ticket.slice(0, -2)}AA`])
      expect(await refused(wrong)).toEqual([410, 'RELAY_TICKET_INVALID']);
    await once(openSocket(ticket), 'open');
    expect(await refused(ticket)).toEqual([410, 'RELAY_TICKET_INVALID']);
  });

  it('accepts one of two concurrent relay handshakes with the same ticket', async () => {
    await start();
    const ticket = await takeTicket();
    const results = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(openSocket(ticket))));
    expect(results.toSorted()).toEqual([...Array(7).fill('RELAY_TICKET_INVALID'), 'open']);
    expect(host.seen).toHaveLength(1);
  });

  it('refuses a relay ticket used at another replica that shares the store', async () => {
    const known = new Set<string>();
    const revocations = {
      add: async (id: string) => void known.add(id),
      has: async (id: string) => known.has(id),
    };
    await start({ revocations });
    const ticket = await takeTicket();
    await once(openSocket(ticket), 'open');
    await running.close();
    await start({ revocations });
    expect(await refused(ticket)).toEqual([410, 'RELAY_TICKET_INVALID']);
  });

  it("refuses relay handshakes with another page's ticket, and from unlisted pages", async () => {
    await start();
    const ticket = await takeTicket();
    expect(await refused(ticket, { origin: OTHER_ORIGIN })).toEqual([410, 'RELAY_TICKET_INVALID']);
    expect(await refused(ticket, { origin: 'https://evil.example' })).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    const url = `${running.url.replace('http', 'ws')}/v1/ws?ticket=${ticket}`;
    expect((await refusalOf(new WebSocket(url))).slice(0, 2)).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    // None of these attempts used up the ticket.
    await once(openSocket(ticket), 'open');
  });

  it('refuses a relay ticket after 30 seconds', async () => {
    await start();
    const [early, late] = [await takeTicket(), await takeTicket()];
    fixture.clock.advance(29_000);
    await once(openSocket(early), 'open');
    fixture.clock.advance(2_000);
    expect(await refused(late)).toEqual([410, 'RELAY_TICKET_INVALID']);
  });

  it('refuses a relay ticket after the visitor has logged out', async () => {
    await start();
    const { body } = await post('/v1/session');
    await post('/v1/logout', { resume_ticket: body['resume_ticket'] });
    expect(await refused(String(body['relay_ticket']))).toEqual([410, 'RELAY_TICKET_INVALID']);
    expect(host.seen).toHaveLength(0);
  });

  it("refuses a client's relay handshakes above its sockets, until one is closed", async () => {
    await start({ relaySocketsPerClient: 2, trustedProxyHops: 1 });
    const from = (address: string): ClientOptions => ({ headers: { 'X-Forwarded-For': address } });
    const first = openSocket(await takeTicket(), '', from('203.0.113.9'));
    await once(first, 'open');
    await once(openSocket(await takeTicket(), '', from('203.0.113.9')), 'open');
    const over = await refusalOf(openSocket(await takeTicket(), '', from('203.0.113.9')));
    expect(over.slice(0, 2)).toEqual([429, 'RATE_LIMITED']);
    expect(over[2]).toMatchObject({ retryable: true, retry_after_seconds: 5 });
    await once(openSocket(await takeTicket(), '', from('203.0.113.10')), 'open');
    first.close();
    await expect.poll(() => fixture.logLines.some(({ message }) => message === 'socket closed')).toBe(true);
    await once(openSocket(await takeTicket(), '', from('203.0.113.9')), 'open');
  });

  it('refuses relay handshakes above the total of sockets, and after many bad tickets of a client', async () => {
    await start({ relaySocketsTotal: 1, limits: { ...fixture.options.limits, resumesPerClient: 2 } });
    await once(openSocket(await takeTicket()), 'open');
    expect(await refused(await takeTicket())).toEqual([429, 'RATE_LIMITED']);
    expect(fixture.logLines.at(-1)?.fields).toMatchObject({ limit: 'relaySocketsTotal' });
    browsers[0]?.close();
    await expect.poll(() => fixture.logLines.at(-1)?.message).toBe('socket closed');
    for (const [status, code] of [
      [410, 'RELAY_TICKET_INVALID'],
      [410, 'RELAY_TICKET_INVALID'],
      [429, 'RATE_LIMITED'],
    ])
      expect(await refused('none')).toEqual([status, code]);
    // A valid ticket was counted with its session.
    await once(openSocket(await takeTicket()), 'open');
  });

  it.each([
    ['401 Unauthorized', 401, 'SESSION_REFUSED'],
    ['404 Not Found', 404, 'SESSION_NOT_FOUND'],
    ['429 Too Many Requests', 429, 'UPSTREAM_RATE_LIMITED'],
    ['500 Internal Server Error', 503, 'UPSTREAM_UNAVAILABLE'],
    ['302 Found', 502, 'UPSTREAM_INVALID_RESPONSE'],
    ['200 OK', 502, 'UPSTREAM_INVALID_RESPONSE'],
    ['101 Switching Protocols', 502, 'UPSTREAM_INVALID_RESPONSE'],
  ])(
    "refuses a relay handshake in the proxy's own words when the platform says %s",
    async (line, status, code) => {
      await start();
      const upgrade = line.startsWith('101') ? 'Upgrade: websocket\r\nConnection: Upgrade\r\n' : '';
      host.answer = {
        raw: `HTTP/1.1 ${line}\r\nRetry-After: 7\r\n${upgrade}Location: ${host.url}\r\n\r\nask ${host.url}`,
      };
      expect(await refused(await takeTicket())).toEqual([status, code]);
    },
  );

  it('refuses a relay handshake with 503 if the platform is down or silent', async () => {
    await start({ attemptTimeoutMs: 2_000 });
    host.answer = 'hang';
    expect(await refused(await takeTicket())).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    await host.close();
    expect(await refused(await takeTicket())).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    const faults = fixture.logLines.map(({ fields }) => fields['upstreamFault']).filter(Boolean);
    expect(faults).toEqual(['ETIMEDOUT', 'ECONNREFUSED']);
  });

  it('releases the slot when the browser disconnects before the platform responds', async () => {
    await start({ relaySocketsTotal: 1 });
    host.answer = 'hang';
    const browser = openSocket(await takeTicket());
    await expect.poll(() => host.seen.length).toBe(1);
    browser.terminate();
    host.answer = 'accept';
    await expect.poll(async () => await outcomeOf(openSocket(await takeTicket()))).toBe('open');
  });

  it.each([
    ['another version', { 'Sec-WebSocket-Version': '8' }],
    ['no key', { 'Sec-WebSocket-Key': '' }],
    ['two hosts', { Host: 'a.example\r\nHost: b.example' }],
  ])('refuses a relay handshake with %s', async (reason, changed) => {
    await start();
    const headers = {
      Host: 'chat.example',
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      Origin: PAGE_ORIGIN,
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...changed,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
    socket.end(`GET /v1/ws?ticket=${await takeTicket()} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
    });
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"code":"INVALID_REQUEST"/);
    // Two hosts are refused before the WebSocket headers are read.
    if (reason !== 'two hosts') expect(answer).toContain('\r\nSec-WebSocket-Version: 13\r\n');
    expect(host.seen).toHaveLength(0);
  });

  it('refuses handshakes on a proxy without a relay, and ignores other upgrades', async () => {
    await start();
    const plain = await fetch(`${running.url}/v1/ws`, { headers: { Origin: PAGE_ORIGIN } });
    expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
    const headers = Object.entries({
      ...PAGE_HEADERS,
      Host: 'chat.example',
      Upgrade: 'h2c',
      Connection: 'Upgrade',
    });
    const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    socket.write(`POST /v1/session HTTP/1.1\r\n${lines}\r\nContent-Length: 2\r\n\r\n{}`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
