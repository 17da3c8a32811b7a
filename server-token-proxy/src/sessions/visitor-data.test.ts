import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProxyFixture, PAGE_HEADERS, type ProxyFixture, SESSION_ID } from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';

const DATA_PATH = `/api/v1/sessions/${SESSION_ID}/data`;
const ERASE_PATH = `/api/v1/sessions/${SESSION_ID}/erase`;

let fixture: ProxyFixture;
let ticket: unknown;
beforeEach(async () => {
  fixture = await createProxyFixture();
  fixture.upstream.script(DATA_PATH, [{ status: 200, body: { session_id: SESSION_ID, events: [] } }]);
  fixture.upstream.script(ERASE_PATH, [{ status: 204, raw: '' }]);
  ticket = Object(await (await fixture.post('/v1/session', {})).json()).resume_ticket;
});
afterEach(() => fixture.upstream.close());

const post = async (path: string, body: object = { resume_ticket: ticket }) => {
  const response = await fixture.post(path, body);
  return { status: response.status, body: Object(await response.json()) };
};
const seen = (path: string) => fixture.upstream.seen.filter((request) => request.path === path);

it("returns the platform's data about the ticket’s session, read with the session's token", async () => {
  expect(await post('/v1/data')).toEqual({ status: 200, body: { session_id: SESSION_ID, events: [] } });
  expect(seen(DATA_PATH)[0]?.headers['authorization']).toBe(`Bearer ${fixture.accessToken}`);
});

it('returns visitor data of any size', async () => {
  const words = 'x'.repeat(12_000_000);
  fixture.upstream.script(DATA_PATH, [{ status: 200, body: { words } }]);
  const { status, body } = await post('/v1/data');
  expect([status, body.words.length]).toEqual([200, words.length]);
});

it('streams visitor data as it arrives, without a time limit, until the visitor disconnects', async () => {
  const begun: ReadableStreamDefaultController<Uint8Array>[] = [];
  let isGivenUp = false;
  const begin = (): Response =>
    new Response(
      new ReadableStream({
        start: (controller) => void begun.push(controller),
        cancel: () => {
          isGivenUp = true;
        },
      }),
      { headers: { 'Content-Type': 'application/json' } },
    );
  const proxy = createTokenProxy({
    ...fixture.options,
    ...{ attemptTimeoutMs: 500, deadlineMs: 1_000 },
    fetch: async (input, init) => (input.endsWith(DATA_PATH) ? begin() : fetch(input, init)),
  });
  const ask = () =>
    proxy(
      new Request('https://chat.kittiwake.example/v1/data', {
        method: 'POST',
        headers: PAGE_HEADERS,
        body: JSON.stringify({ resume_ticket: ticket }),
      }),
    );
  const send = (text: string): void => begun.at(-1)?.enqueue(new TextEncoder().encode(text));
  const whole = await ask();
  const text = whole.text();
  send('{"events":');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  send('[]}');
  begun.at(-1)?.close();
  expect(JSON.parse(await text)).toEqual({ events: [] });
  const left = await ask();
  send('{');
  await left.body?.cancel();
  expect(isGivenUp).toBe(true);
});

it('reports visitor data that is not JSON', async () => {
  fixture.upstream.script(DATA_PATH, [
    { status: 200, headers: { 'Content-Type': 'text/html' }, body: 'a page' },
  ]);
  expect((await post('/v1/data')).body.code).toBe('DATA_NOT_AVAILABLE');
});

it('erases visitor data and invalidates the ticket', async () => {
  expect(await post('/v1/erase')).toEqual({ status: 200, body: { status: 'erased' } });
  for (const path of ['/v1/erase', '/v1/data', '/v1/resume'])
    expect((await post(path)).body.code).toBe('RESUME_TICKET_INVALID');
  expect(seen(ERASE_PATH)).toHaveLength(1);
});

it.each(['/v1/data', '/v1/erase'])('serves only the holder of a good ticket at %s', async (path) => {
  for (const body of [{}, { resume_ticket: `${ticket}x` }])
    expect((await post(path, body)).body.code).toBe('RESUME_TICKET_INVALID');
  expect([...seen(DATA_PATH), ...seen(ERASE_PATH)]).toEqual([]);
});

it.each([
  [404, 'session not found', 404, 'SESSION_NOT_FOUND'],
  [401, 'Invalid access token', 404, 'SESSION_NOT_FOUND'],
  [404, 'Resource not found', 404, 'DATA_NOT_AVAILABLE'],
  [405, 'Method not allowed', 404, 'DATA_NOT_AVAILABLE'],
])(
  'explains what %i %j means for visitor data, and keeps the ticket',
  async (upstreamStatus, message, status, code) => {
    fixture.upstream.script(ERASE_PATH, [{ status: upstreamStatus, body: { message } }]);
    const answer = await post('/v1/erase');
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await post('/v1/resume')).status).toBe(200);
  },
);
