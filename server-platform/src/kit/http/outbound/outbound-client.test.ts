import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createRawServer,
  type Server as RawServer,
  type Socket,
} from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSkippingClock } from '../../../../test/realtime/skipping-clock.ts';
import { createOutboundClient, type OutboundClientOptions, type OutboundRequest } from './outbound-client.ts';

const KEY = 'sk-very-secret-key';
const servers: Server[] = [];
const rawServers: RawServer[] = [];
const sockets: Socket[] = [];
const clock = createSkippingClock();

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A raw TCP server, called with each request that arrives in one piece. */
async function serveRaw(answer: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  rawServers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of rawServers.splice(0)) server.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

const send = (
  url: string,
  over: Partial<OutboundRequest> = {},
  options: Partial<OutboundClientOptions> = {},
) =>
  createOutboundClient({ allowsPrivateAddresses: true, clock, ...options }).send({
    url: `${url}/path?q=${KEY}`,
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: '{}',
    limits: { firstByteTimeoutMs: 5_000, idleTimeoutMs: 1_000, totalTimeoutMs: 20_000, maxBytes: 100 },
    ...over,
  });

describe('an outbound request', () => {
  it('returns status, headers and body, and reuses its connections', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(201, { 'X-Kind': 'test' }).end('{"a":1}');
    });
    const client = createOutboundClient({ allowsPrivateAddresses: true, clock });
    for (let count = 0; count < 5; count += 1) {
      const answer = await client.send({ url, method: 'GET', limits: { maxBytes: 100 } });
      expect([answer.status, answer.isOk, answer.header('x-kind')]).toEqual([201, true, 'test']);
      expect(await answer.json()).toEqual({ a: 1 });
    }
    // A connection is free again one event loop turn after its response.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("sends the platform's name as user agent, unless the caller names another", async () => {
    const names: unknown[] = [];
    const url = await serve(({ headers }, response) => {
      names.push(headers['user-agent']);
      response.end();
    });
    for (const headers of [{}, { 'User-Agent': 'Other' }, { 'user-agent': 'other' }])
      (await send(url, { headers })).discard();
    expect(names).toEqual(['Natter-Platform', 'Other', 'other']);
  });

  it('connects to the server directly, ignoring proxies of the environment', async () => {
    const url = await serve((_, response) => response.end('direct'));
    for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, 'http://127.0.0.1:9');
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    try {
      expect(String(Buffer.from(await (await send(url)).bytes()))).toBe('direct');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  const EARLY = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n';
  it.each([
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['100 with a header', 'HTTP/1.1 100 Continue\r\nServer: x\r\n\r\n'],
    ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103', EARLY],
    ['several', `HTTP/1.1 100 Continue\r\n\r\n${EARLY}HTTP/1.1 102 Processing\r\n\r\n`],
  ])('ignores interim responses: %s', async (_, interim) => {
    const final = 'HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{}';
    let requests = 0;
    // Immediately and in pieces, even before the request's body was read.
    const url = await serveRaw((socket) => {
      requests += 1;
      if (requests % 2 === 1) socket.write(interim + final);
      else {
        socket.write(interim);
        setImmediate(() => socket.write(final));
      }
    });
    for (const keepsConnections of [true, false]) {
      const client = createOutboundClient({ allowsPrivateAddresses: true, clock, keepsConnections });
      for (let count = 0; count < 4; count += 1) {
        const answer = await client.send({ url, method: 'POST', body: '{}', limits: { maxBytes: 10 } });
        expect([answer.status, await answer.json()]).toEqual([202, {}]);
      }
    }
    expect(requests).toBe(8);
  });

  it('limits the wait for a server that sends only interim responses', async () => {
    const url = await serveRaw((socket) => {
      socket.write(EARLY);
      clock.skip(5_000);
    });
    await expect(send(url)).rejects.toMatchObject({ code: 'timeout', phase: 'first_byte' });
  });

  it('fails when the server changes the protocol unasked', async () => {
    const url = await serveRaw((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    });
    await expect(send(url)).rejects.toMatchObject({ code: 'upgraded' });
  });

  it('requests no compression', async () => {
    const url = await serve((request, response) => response.end(String(request.headers['accept-encoding'])));
    expect(String(Buffer.from(await (await send(url)).bytes()))).toBe('undefined');
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with %i', async (status) => {
    let count = 0;
    const url = await serve((_, response) => {
      count += 1;
      response.writeHead(status, { Location: '/elsewhere' }).end();
    });
    const answer = await send(url);
    answer.discard();
    expect([answer.status, answer.isOk, count]).toEqual([status, false, 1]);
  });

  it('times out when no byte of the body arrives, with or without headers', async () => {
    const silent = await serve(() => clock.skip(5_000));
    await expect(send(silent)).rejects.toMatchObject({ code: 'timeout', phase: 'first_byte' });
    const headOnly = await serve((_, response) => {
      response.writeHead(200);
      response.flushHeaders();
    });
    const reading = (await send(headOnly)).bytes();
    clock.skip(5_000);
    await expect(reading).rejects.toMatchObject({ code: 'timeout', phase: 'first_byte' });
  });

  it('times out when the body stops, but not while the reader is slow', async () => {
    let respond: (text: string) => void = () => {};
    const url = await serve((_, response) => {
      respond = (text) => void response.write(text);
      respond('one');
    });
    const pieces = (await send(url)).pieces();
    expect(String(Buffer.from((await pieces.next()).value ?? []))).toBe('one');
    clock.skip(10_000);
    respond('two');
    expect(String(Buffer.from((await pieces.next()).value ?? []))).toBe('two');
    const third = pieces.next();
    clock.skip(1_000);
    await expect(third).rejects.toMatchObject({ code: 'timeout', phase: 'idle' });
  });

  it('times out when the whole request takes too long', async () => {
    const url = await serve((_, response) => response.write('one'));
    const pieces = (await send(url)).pieces();
    await pieces.next();
    clock.skip(20_000);
    await expect(pieces.next()).rejects.toMatchObject({ code: 'timeout', phase: 'total' });
  });

  it('times out when name or connection take too long', async () => {
    const resolve = (): Promise<never> => new Promise(() => {});
    const sent = send('http://slow.test', {}, { resolve, connectTimeoutMs: 20 });
    await expect(sent).rejects.toMatchObject({ code: 'timeout', phase: 'connect' });
  });

  it.each([
    ['announced', { 'Content-Length': '101' }],
    ['sent without announcement', {}],
  ])('accepts only as many bytes as allowed: %s', async (_, headers) => {
    const url = await serve((__, response) => response.writeHead(200, headers).end('x'.repeat(101)));
    await expect((await send(url)).bytes()).rejects.toMatchObject({ code: 'too_large' });
    const fits = await serve((__, response) => response.end('x'.repeat(100)));
    expect(await (await send(fits)).bytes()).toHaveLength(100);
  });

  it('reports a body that is not JSON', async () => {
    const url = await serve((_, response) => response.end('<p>'));
    await expect((await send(url)).json()).rejects.toMatchObject({ code: 'malformed' });
  });

  it("ends an outbound request with the caller's abort reason, before, during and after sending", async () => {
    const reason = new Error('gone');
    const gone = AbortSignal.abort(reason);
    const silent = await serve(() => {});
    await expect(send(silent, { signal: gone })).rejects.toBe(reason);
    const waiting = new AbortController();
    const asked = await serve(() => waiting.abort(reason));
    await expect(send(asked, { signal: waiting.signal })).rejects.toBe(reason);
    const reading = new AbortController();
    const url = await serve((_, response) => response.write('one'));
    const pieces = (await send(url, { signal: reading.signal })).pieces();
    await pieces.next();
    reading.abort(reason);
    await expect(pieces.next()).rejects.toBe(reason);
  });

  it('closes the connection when the reader stops early or discards the body', async () => {
    const closed: Promise<unknown>[] = [];
    const url = await serve((_, response) => {
      closed.push(once(response, 'close'));
      response.write('one');
    });
    for await (const _ of (await send(url)).pieces()) break;
    (await send(url)).discard();
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });

  it('names fault and host of an outbound request, and nothing of the request', async () => {
    const url = await serve((request) => request.socket.destroy());
    const failure: unknown = await send(url).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(new URL(url).host),
    });
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain(KEY);
  });
});

describe('the address of an outbound request', () => {
  const publicOnly = { allowsPrivateAddresses: false };

  it.each([
    ['10.0.0.8'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::a9fe:a9fe'],
    ['93.184.216.34', '10.0.0.8'],
    ['2606:4700::1111', 'fd00::1'],
  ])('refuses an outbound host whose name has %s', async (...addresses) => {
    const sent = send('http://name.test', {}, { ...publicOnly, resolve: async () => addresses });
    await expect(sent).rejects.toMatchObject({ code: 'address_refused' });
  });

  it.each(['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '2130706433', '0x7f.1'])(
    'refuses an outbound URL that has %s',
    async (host) => {
      const resolve = (): Promise<never> => Promise.reject(new Error('was asked'));
      const sent = send(`http://${host}`, {}, { ...publicOnly, resolve });
      await expect(sent).rejects.toMatchObject({ code: 'address_refused' });
    },
  );

  it('connects to the checked address although the name has another a moment later', async () => {
    const url = await serve((_, response) => response.end('{}'));
    const { port } = new URL(url);
    const answers = [['127.0.0.1'], ['192.0.2.1']];
    const asked: string[] = [];
    const resolve = async (name: string): Promise<readonly string[]> => {
      asked.push(name);
      return answers.shift() ?? [];
    };
    expect(await (await send(`http://rebinding.test:${port}`, {}, { resolve })).json()).toEqual({});
    expect(asked).toEqual(['rebinding.test']);
  });

  it("connects to the name's next address when the first does not respond", async () => {
    const url = await serve((_, response) => response.end('{}'));
    const { port } = new URL(url);
    const resolve = async (): Promise<readonly string[]> => ['::1', '127.0.0.1'];
    expect(await (await send(`http://two.test:${port}`, {}, { resolve })).json()).toEqual({});
  });

  it('resolves a name for each request of a client that keeps no connections', async () => {
    const url = await serve((_, response) => response.end('{}'));
    let count = 0;
    const resolve = async (): Promise<readonly string[]> => {
      count += 1;
      return ['127.0.0.1'];
    };
    const client = createOutboundClient({ allowsPrivateAddresses: true, keepsConnections: false, resolve });
    const target = `http://name.test:${new URL(url).port}`;
    for (const _ of [1, 2, 3]) {
      await (await client.send({ url: target, method: 'GET', limits: { maxBytes: 10 } })).json();
    }
    expect(count).toBe(3);
  });
});
