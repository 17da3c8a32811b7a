import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  startWebhookReceiver,
  status,
  type WebhookReceiver,
} from '../../../test/api/webhooks/webhook-receiver.ts';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { createWebhookSender, type SentWebhook, type WebhookSenderOptions } from './send-webhook.ts';

describe('an attempt', () => {
  let receiver: WebhookReceiver;
  let other: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    other = await startWebhookReceiver();
  });
  afterAll(async () => {
    await receiver.close();
    await other.close();
  });
  beforeEach(() => {
    receiver.answer = status(200);
  });

  const clock = createSkippingClock();
  const send = (
    over: { readonly url?: string; readonly signal?: AbortSignal } = {},
    options: Partial<WebhookSenderOptions> = {},
  ): Promise<SentWebhook> =>
    createWebhookSender({ clock, allowsPrivateAddresses: true, ...options })({
      endpointId: 'whe_test',
      url: `${receiver.url}/hook?a=1`,
      headers: { 'Content-Type': 'application/json', 'X-Team': 'ops' },
      body: '{"name":"São Paulo"}',
      timeoutMs: 5000,
      signal: new AbortController().signal,
      ...over,
    });
  const port = (): string => new URL(receiver.url).port;

  it('sends a delivery as one POST with the given headers', async () => {
    const before = receiver.received.length;
    expect(await send()).toEqual({ answer: { status: 200 }, outcome: 'HTTP 200' });
    expect(receiver.received.slice(before)).toMatchObject([
      {
        method: 'POST',
        path: '/hook?a=1',
        body: '{"name":"São Paulo"}',
        headers: {
          host: new URL(receiver.url).host,
          'content-type': 'application/json',
          'content-length': '21',
          'x-team': 'ops',
        },
      },
    ]);
  });

  it.each([200, 204, 299, 400, 404, 408, 429, 500, 503])(
    'returns the status %i of a delivery',
    async (code) => {
      receiver.answer = status(code);
      expect((await send()).answer).toEqual({ status: code });
    },
  );

  it("does not wait for the end of a receiver's response, whose body is ignored (WD-6)", async () => {
    receiver.answer = (response) => response.writeHead(200).write('and so on');
    expect((await send()).answer).toEqual({ status: 200 });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with %i (WD-6)', async (code) => {
    receiver.answer = status(code, { Location: `${other.url}/elsewhere` });
    expect((await send()).answer).toEqual({ status: code });
    expect(other.received).toEqual([]);
  });

  it('skips interim responses: 100, 102 and 103', async () => {
    receiver.answer = (response) => {
      response.writeContinue();
      response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(204).end();
    };
    expect(await send()).toEqual({ answer: { status: 204 }, outcome: 'HTTP 204' });
  });

  it('treats an unrequested protocol change as a response (WD-8)', async () => {
    receiver.answer = (response) => {
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    };
    expect((await send()).answer).toEqual({ status: 101 });
  });

  it('times out when a receiver does not respond in time (WD-8)', async () => {
    receiver.answer = () => clock.skip(5000);
    expect(await send()).toEqual({ answer: { error: 'timeout' }, outcome: 'timeout (5000 ms)' });
  });

  it('times out when the resolver hangs (WD-8)', async () => {
    const resolve = (): Promise<never> => {
      clock.skip(5000);
      return new Promise(() => {});
    };
    expect((await send({}, { resolve })).answer).toEqual({ error: 'timeout' });
  });

  it('reports a network error when no server listens or the name does not resolve (WD-8)', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: free } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(await send({ url: `https://127.0.0.1:${free}/` })).toEqual({
      answer: { error: 'network' },
      outcome: 'network error (ECONNREFUSED)',
    });
    const resolve = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    expect(await send({}, { resolve })).toEqual({
      answer: { error: 'network' },
      outcome: 'network error (ENOTFOUND)',
    });
    expect((await send({}, { resolve: async () => [] })).answer).toEqual({ error: 'network' });
  });

  it('refuses an untrusted certificate, and one for another name', async () => {
    const stranger = await startWebhookReceiver({ isTrusted: false });
    expect((await send({ url: stranger.url })).outcome).toBe('network error (DEPTH_ZERO_SELF_SIGNED_CERT)');
    await stranger.close();
    const elsewhere = await send(
      { url: `https://ops.example.com:${port()}/` },
      { resolve: async () => ['127.0.0.1'] },
    );
    expect(elsewhere.outcome).toBe('network error (ERR_TLS_CERT_ALTNAME_INVALID)');
  });

  it('connects to the resolved and checked address, and resolves again for each attempt', async () => {
    const asked: string[] = [];
    const resolve = async (hostname: string): Promise<readonly string[]> => {
      asked.push(hostname);
      return ['127.0.0.1'];
    };
    // The system's resolver cannot resolve this name.
    const url = `https://localhost:${port()}/`;
    expect((await send({ url }, { resolve })).answer).toEqual({ status: 200 });
    expect((await send({ url }, { resolve })).answer).toEqual({ status: 200 });
    expect(asked).toEqual(['localhost', 'localhost']);
  });

  it('connects to an IP address without a resolver', async () => {
    const resolve = (): Promise<never> => Promise.reject(new Error('was asked'));
    const sent = await send({ url: `https://127.0.0.1:${port()}/` }, { resolve });
    expect(sent.answer).toEqual({ status: 200 });
  });

  it.each([
    ['a private address', ['10.0.0.8']],
    ['this machine', ['127.0.0.1']],
    ['a metadata service', ['169.254.169.254']],
    ['a private address among public ones', ['93.184.216.34', '10.0.0.8']],
    ['a private address behind IPv6', ['::ffff:127.0.0.1']],
  ])(
    'refuses a receiver whose name resolves to %s, unless the deployment allows it',
    async (_, addresses) => {
      const before = receiver.received.length;
      const url = `https://ops.example.com:${port()}/`;
      const sent = await send({ url }, { allowsPrivateAddresses: false, resolve: async () => addresses });
      expect(sent).toEqual({ answer: { error: 'network' }, outcome: 'refused: private address' });
      expect(receiver.received).toHaveLength(before);
    },
  );

  it('refuses a private address in a webhook URL', async () => {
    for (const host of ['127.0.0.1', '[::1]', '2130706433', '0x7f.1']) {
      const sent = await send({ url: `https://${host}:${port()}/` }, { allowsPrivateAddresses: false });
      expect(sent.outcome).toBe('refused: private address');
    }
  });

  it('aborts a delivery attempt when the platform shuts down', async () => {
    const stop = new AbortController();
    receiver.answer = () => stop.abort();
    expect((await send({ signal: stop.signal })).answer).toEqual({ error: 'network' });
  });
});
