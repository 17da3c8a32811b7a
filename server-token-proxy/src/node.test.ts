import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN_PATH } from '../test/fake-upstream.ts';
import { createProxyFixture, PAGE_HEADERS, type ProxyFixture, SESSION_ID } from '../test/proxy-fixture.ts';
import { type RunningTokenProxy, startTokenProxy } from './node.ts';

const ENTRY = `export const greeting = '${'ahoy '.repeat(500)}';`;

let fixture: ProxyFixture;
let directory: string;
let running: RunningTokenProxy | null = null;

beforeEach(async () => {
  fixture = await createProxyFixture();
  directory = await mkdtemp(join(tmpdir(), 'natter-embed-'));
});
afterEach(async () => {
  await running?.close();
  running = null;
  await fixture.upstream.close();
  await rm(directory, { recursive: true });
});

async function start(options: Parameters<typeof startTokenProxy>[0] = fixture.options): Promise<string> {
  running = await startTokenProxy(options);
  return running.url;
}

const postTo = (url: string, body: string): Promise<Response> =>
  fetch(`${url}/v1/session`, { method: 'POST', headers: PAGE_HEADERS, body });

function sendRaw(url: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request));
    socket.setEncoding('latin1').on('data', (part: string) => {
      received += part;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(received));
  });
}

describe('a token proxy on a port', () => {
  it('reports that the process is alive, even while the platform is down', async () => {
    await fixture.upstream.close();
    const url = await start({ ...fixture.options, basePath: '/chat' });
    const alive = await fetch(`${url}/livez`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
    expect((await fetch(`${url}/livez`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(new URL('/livez', url))).status).toBe(404);
  });

  it("starts a session over HTTP and counts it by the connection's address", async () => {
    const url = await start({ ...fixture.options, limits: { sessionsPerClient: 1 } });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await postTo(url, '{}');
    expect(await response.json()).toMatchObject({ session_id: SESSION_ID });
    expect((await postTo(url, '{}')).status).toBe(429);
    expect(fixture.logLines.some((line) => line.message.includes('client addresses unknown'))).toBe(false);
  });

  it.each([
    ['two names', 'Host: chat.example\r\nHost: other.example\r\n'],
    ['one name twice', 'Host: chat.example\r\nhost: chat.example\r\n'],
  ])('refuses a request that names several hosts and closes its connection: %s', async (_name, hosts) => {
    const answer = await sendRaw(await start(), `GET /v1/health HTTP/1.1\r\n${hosts}\r\n`.repeat(2));
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });

  it('answers a health check in HTTP/1.0 without a host', async () => {
    const url = await start();
    expect(await sendRaw(url, 'GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 [\s\S]*"ok"/);
    expect(await sendRaw(url, 'GET /v1/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('answers an oversized body with an error instead of closing the connection', async () => {
    const url = await start();
    expect((await postTo(url, ' '.repeat(100_000))).status).toBe(413);
    const port = Number(new URL(url).port);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        const headers = Object.entries({
          ...PAGE_HEADERS,
          Host: 'chat.example',
          'Transfer-Encoding': 'chunked',
        });
        socket.write(
          `POST /v1/session HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
        );
        // 8 kB in chunks without an end, so that the size is unknown beforehand.
        for (let chunk = 0; chunk < 8; chunk += 1) socket.write(`400\r\n${' '.repeat(1_024)}\r\n`);
      });
      socket.once('data', (data) => {
        resolve(data.toString('utf8'));
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect((await postTo(url, '{}')).status).toBe(200);
  });

  it.each([
    ['that says nothing', ''],
    ['that breaks off in its head', 'POST /v1/session HTTP/1.1\r\nHost: chat.example\r\n'],
    [
      'whose body has no end',
      'POST /v1/session HTTP/1.1\r\nHost: chat.example\r\nContent-Length: 9\r\n\r\n{',
    ],
    ['after one that was answered', 'GET /none HTTP/1.1\r\nHost: chat.example\r\n\r\nGET /'],
  ])('closes the connection of a request %s', async (_name, text) => {
    const url = await start({ ...fixture.options, headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    socket.on('error', () => {});
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    // A busy machine may be too slow for a whole request within these limits, so retry.
    await expect.poll(async () => (await postTo(url, '{}')).status).toBe(200);
  });

  it('answers oversized headers with an error that the page can read', async () => {
    const url = await start({ ...fixture.options, maxHeaderBytes: 2_048 });
    const request = (cookie: string): string =>
      `POST /v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://shop.example\r\nCookie: ${cookie}\r\n\r\n`;
    const [head = '', body = ''] = (await sendRaw(url, request('c'.repeat(3_000)))).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(head).toContain('\r\nAccess-Control-Allow-Origin: https://shop.example\r\n');
    expect(head).toContain('\r\nAccess-Control-Allow-Credentials: true');
    expect(JSON.parse(body)).toMatchObject({
      code: 'HEADERS_TOO_LARGE',
      message: expect.stringContaining('larger than 2048 bytes'),
      retryable: false,
    });
  });

  it('accepts the cookies of a site with many of them', async () => {
    const url = await start();
    const response = await fetch(`${url}/livez`, { headers: { cookie: `c=${'c'.repeat(40_000)}` } });
    expect(response.status).toBe(200);
  });

  it('answers bytes that are not HTTP with 400', async () => {
    expect(await sendRaw(await start(), 'ahoy\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"INVALID_REQUEST"/);
  });

  it('keeps a connection open for longer than load balancers do', async () => {
    const response = await fetch(`${await start()}/livez`);
    expect(response.headers.get('keep-alive')).toBe('timeout=75');
  });

  it('answers a body that arrives too slowly with 408 and closes its connection', async () => {
    const url = await start({ ...fixture.options, deadlineMs: 50 });
    const answer = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
        const headers = Object.entries({ ...PAGE_HEADERS, Host: 'chat.example', 'Content-Length': '9' });
        const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(`POST /v1/session HTTP/1.1\r\n${lines.join('')}\r\n{`);
      });
      socket.setEncoding('latin1').on('data', (part: string) => {
        received += part;
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(received));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
    expect(fixture.logLines.at(-1)).toMatchObject({ level: 'info', fields: { code: 'REQUEST_TIMEOUT' } });
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  });

  it('handles pipelined requests one after the other', async () => {
    fixture.upstream.script(TOKEN_PATH, ['hang']);
    const url = await start();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    const headers = Object.entries({ ...PAGE_HEADERS, Host: 'chat.example', 'Content-Length': '2' });
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
    const asked = fixture.upstream.seen.length;
    socket.write(`POST /v1/session HTTP/1.1\r\n${lines.join('')}\r\n{}`.repeat(5));
    await expect.poll(() => fixture.upstream.seen.length).toBe(asked + 1);
    socket.resetAndDestroy();
    await fixture.upstream.dropped();
    // No further session setup starts for a client that has disconnected.
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    expect(fixture.upstream.seen.length).toBe(asked + 1);
  });

  it('aborts its call to the platform when the browser disconnects', async () => {
    fixture.upstream.script(TOKEN_PATH, ['hang']);
    const url = await start();
    const browser = new AbortController();
    const pending = fetch(`${url}/v1/session`, {
      method: 'POST',
      headers: PAGE_HEADERS,
      body: '{}',
      signal: browser.signal,
    });
    await fixture.upstream.arrival(TOKEN_PATH);
    browser.abort();
    await expect(pending).rejects.toThrow();
    await fixture.upstream.dropped();
  });

  it('serves the build from memory, compressed once', async () => {
    await mkdir(join(directory, 'natter'), { recursive: true });
    await writeFile(join(directory, 'natter.js'), ENTRY);
    await writeFile(join(directory, 'natter', 'panel-4f2a91bc.js'), ENTRY);
    await writeFile(join(directory, 'secret.txt'), 'outside');
    const url = await start({ ...fixture.options, embedDir: directory });
    await rm(join(directory, 'natter.js'));
    const load = async (accepted: string): Promise<{ size: number; encoding: string | null }> => {
      const response = await fetch(`${url}/natter.js`, { headers: { 'Accept-Encoding': accepted } });
      expect(await response.text()).toBe(ENTRY);
      // fetch has decompressed the body, so its size on the wire is read from the header.
      const size = Number(response.headers.get('content-length'));
      return { size, encoding: response.headers.get('content-encoding') };
    };
    const [brotli, gzip, plain] = [await load('br'), await load('gzip'), await load('identity')];
    expect([brotli.encoding, gzip.encoding, plain.encoding]).toEqual(['br', 'gzip', null]);
    expect(plain.size).toBe(ENTRY.length);
    expect(Math.max(brotli.size, gzip.size)).toBeLessThan(ENTRY.length / 4);
    expect((await fetch(`${url}/natter/panel-4f2a91bc.js`)).headers.get('cache-control')).toContain(
      'immutable',
    );
    for (const path of ['/secret.txt', '/natter/../secret.txt', '/natter/..%2fsecret.txt', '/natter']) {
      expect((await fetch(`${url}${path}`)).status).toBe(404);
    }
  });

  it('serves compressed copies included in the build', async () => {
    await writeFile(join(directory, 'natter.js'), ENTRY);
    await writeFile(join(directory, 'natter.js.gz'), gzipSync('packed by the build'));
    const url = await start({ ...fixture.options, embedDir: directory });
    const response = await fetch(`${url}/natter.js`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(await response.text()).toBe('packed by the build');
  });

  it('does not start without the configured build', async () => {
    await expect(start({ ...fixture.options, embedDir: directory })).rejects.toThrow(
      /natter\.js not found in the embed directory/,
    );
    await expect(start({ ...fixture.options, embedDir: join(directory, 'absent') })).rejects.toThrow(
      /Build the widget/,
    );
  });

  it('does not start on a port in use', async () => {
    const url = await start();
    await expect(startTokenProxy({ ...fixture.options, port: Number(new URL(url).port) })).rejects.toThrow(
      /EADDRINUSE/,
    );
  });

  it('finishes a request in flight before it stops, and stops once', async () => {
    fixture.upstream.script(TOKEN_PATH, [
      'hang',
      { status: 200, body: { access_token: fixture.accessToken } },
    ]);
    const started = await startTokenProxy({ ...fixture.options, attemptTimeoutMs: 2_000 });
    const pending = postTo(started.url, '{}');
    await fixture.upstream.arrival(TOKEN_PATH);
    const closing = [started.close(), started.close()];
    expect((await pending).status).toBe(200);
    await Promise.all(closing);
    await expect(postTo(started.url, '{}')).rejects.toThrow();
  });

  it('includes the mount path in its address', async () => {
    expect(await start({ ...fixture.options, basePath: '/api/chat' })).toMatch(/:\d+\/api\/chat$/);
    expect((await postTo(running?.url ?? '', '{}')).status).toBe(200);
  });
});
