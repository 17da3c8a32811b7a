import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProxyFixture, PAGE_ORIGIN, type ProxyFixture, SESSION_ID } from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';
import type { IncomingFile } from './upload-options.ts';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array(100).fill(7)]);
const URL = 'https://files.kittiwake.example/a1/photo.png';

let fixture: ProxyFixture;
let ticket = '';
let taken: { readonly file: IncomingFile; readonly bytes: number } | null;
let answer: () => Promise<string | null>;
/** A hook that reads and stores everything. */
const onUpload = async (file: IncomingFile): Promise<string | null> => {
  let bytes = 0;
  for await (const chunk of file.body) bytes += chunk.byteLength;
  taken = { file, bytes };
  return answer();
};
beforeEach(async () => {
  taken = null;
  answer = async () => URL;
  fixture = await createProxyFixture({ uploads: { onUpload, maxBytes: 1_000 } });
  ticket = Object(await (await fixture.post('/v1/session', {})).json()).resume_ticket;
});
afterEach(() => fixture.upstream.close());

interface Sent {
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
const send = async (body: BodyInit | null, { name = 'photo.png', headers = {}, signal }: Sent = {}) => {
  const all: Record<string, string> = {
    Origin: PAGE_ORIGIN,
    'Content-Type': 'application/octet-stream',
    Authorization: `Bearer ${ticket}`,
    'X-Natter-File-Name': encodeURIComponent(name),
    ...headers,
  };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const request = new Request('https://chat.kittiwake.example/v1/upload', {
    method: 'POST',
    headers: kept,
    body,
    ...(signal && { signal }),
    duplex: 'half',
  } as RequestInit);
  const response = await fixture.proxy(request);
  return { status: response.status, body: Object(await response.json()) };
};
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

describe('POST /v1/upload', () => {
  it('passes a file to the hook, named by its content, and returns its address', async () => {
    expect(await send(PNG, { name: '../../Fähre "3".jpg' })).toEqual({
      status: 200,
      body: { url: URL, name: 'Fähre 3.png', type: 'image/png' },
    });
    expect(taken).toMatchObject({
      bytes: PNG.byteLength,
      file: { sessionId: SESSION_ID, connector: 'default', origin: PAGE_ORIGIN },
    });
  });

  it('accepts a file only with a valid ticket, from an allowed page', async () => {
    for (const Authorization of ['', 'Bearer x', `Bearer ${ticket}x`]) {
      expect((await send(PNG, { headers: { Authorization } })).body.code).toBe('RESUME_TICKET_INVALID');
    }
    expect((await send(PNG, { headers: { Origin: 'https://evil.example' } })).status).toBe(403);
    expect((await send(PNG, { headers: { 'Content-Type': 'text/plain' } })).status).toBe(415);
    await fixture.post('/v1/logout', { resume_ticket: ticket });
    expect((await send(PNG)).body.code).toBe('RESUME_TICKET_INVALID');
    expect(taken).toBeNull();
  });

  it('calls the authorize hook for uploads, and counts files separately', async () => {
    const routes: string[] = [];
    const options = {
      ...fixture.options,
      limits: { ...fixture.options.limits, uploadsPerClient: 1 },
      authorize: (_: Request, { route }: { readonly route: string }) => routes.push(route) > 0,
    };
    fixture = { ...fixture, proxy: createTokenProxy(options) };
    expect((await send(PNG)).status).toBe(200);
    expect((await send(PNG)).body).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    expect(routes).toEqual(['upload']);
  });

  it("counts a session's files from any address", async () => {
    const limits = { ...fixture.options.limits, uploadsPerClient: 2 };
    fixture = { ...fixture, proxy: createTokenProxy({ ...fixture.options, trustedProxyHops: 1, limits }) };
    const from = (address: string) => send(PNG, { headers: { 'X-Forwarded-For': address } });
    const answers = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) answers.push(await from(address));
    expect(answers.map(({ body }) => body.code ?? 'stored')).toEqual(['stored', 'stored', 'RATE_LIMITED']);
  });

  it.each([
    ['a picture by name that is none', 'photo.png', '<svg onload=alert(1)>'],
    ['a page', 'page.html', '<!doctype html><script>1</script>'],
    ['a drawing with scripts', 'a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a text with zero bytes', 'a.txt', 'a\0b'],
    ['no known kind', 'run.exe', 'MZ'],
    ['a kind that this site does not take', 'a.csv', 'a,b'],
  ])('POST /v1/upload refuses %s', async (_, name, text) => {
    const refused = await send(bytes(text), { name });
    expect([refused.status, refused.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(taken).toBeNull();
  });

  it('stops an upload at the first byte above the limit, declared or not', async () => {
    const long = Uint8Array.from([...PNG, ...Array(1_000).fill(7)]);
    for (const headers of [{ 'Content-Length': '1108' }, {}]) {
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(long.slice());
          controller.close();
        },
      });
      expect((await send(body, { headers })).body.code).toBe('PAYLOAD_TOO_LARGE');
    }
    expect((await send(new Uint8Array())).body.code).toBe('INVALID_REQUEST');
    expect(taken).toBeNull();
  });

  it('aborts the stream when the visitor disconnects, so that the hook can clean up', async () => {
    const gone = new AbortController();
    let broken: unknown;
    const options = {
      ...fixture.options,
      uploads: {
        async onUpload({ body }: IncomingFile) {
          const reader = body.getReader();
          await reader.read();
          gone.abort(new Error('gone'));
          broken = await reader.read().catch((error: unknown) => error);
          return URL;
        },
      },
    };
    fixture = { ...fixture, proxy: createTokenProxy(options) };
    // The stream never ends.
    const body = new ReadableStream(
      { pull: (controller) => controller.enqueue(PNG.slice()) },
      { highWaterMark: 0 },
    );
    expect((await send(body, { signal: gone.signal })).status).toBe(503);
    await expect.poll(() => broken).toMatchObject({ message: 'gone' });
  });

  it('refuses an upload that the hook refuses', async () => {
    answer = async () => null;
    expect((await send(PNG)).body).toMatchObject({ code: 'UPLOAD_REFUSED', retryable: false });
    answer = () => Promise.reject(new Error('the disk is full'));
    expect((await send(PNG)).body).toMatchObject({ code: 'INTERNAL', retryable: true });
    answer = async () => 'javascript:alert(1)';
    expect((await send(PNG)).status).toBe(500);
  });
});

describe('GET /v1/upload', () => {
  const ask = async () => {
    const response = await fixture.proxy(
      new Request('https://chat.kittiwake.example/v1/upload', { headers: { Origin: PAGE_ORIGIN } }),
    );
    return { status: response.status, body: Object(await response.json()) };
  };

  it('returns the upload limits, or that uploads are disabled', async () => {
    expect(await ask()).toEqual({
      status: 200,
      body: { max_bytes: 1_000, types: expect.arrayContaining(['image/png', 'application/pdf']) },
    });
    const { uploads: _, ...without } = fixture.options;
    fixture = { ...fixture, proxy: createTokenProxy(without) };
    expect((await ask()).body.code).toBe('UPLOADS_NOT_ENABLED');
    expect((await send(PNG)).body.code).toBe('UPLOADS_NOT_ENABLED');
  });

  it('refuses to start with types that may contain scripts', () => {
    const uploads = { onUpload, types: ['image/svg+xml'] };
    expect(() => createTokenProxy({ ...fixture.options, uploads })).toThrow('uploads.types may only contain');
  });
});
