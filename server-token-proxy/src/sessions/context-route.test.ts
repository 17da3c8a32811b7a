import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Behaviour } from '../../test/fake-upstream.ts';
import { createProxyFixture, PAGE_ORIGIN, type ProxyFixture, SESSION_ID } from '../../test/proxy-fixture.ts';

const CONTEXT_PATH = `/api/v1/sessions/${SESSION_ID}/context`;
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJjdHgiOnt9fQ.c2lnbmF0dXJl';

let fixture: ProxyFixture;
let ticket: unknown;
beforeEach(async () => {
  fixture = await createProxyFixture();
  fixture.upstream.script(CONTEXT_PATH, [{ status: 204, raw: '' }]);
  const session = await fixture.post('/v1/session', {});
  ticket = Object(await session.json()).resume_ticket;
});
afterEach(() => fixture.upstream.close());

const submit = async (body: object = { resume_ticket: ticket, token: TOKEN }) => {
  const response = await fixture.post('/v1/context', body);
  return { status: response.status, body: Object(await response.json()) };
};
const refuse = (status: number, message: string): Behaviour => ({ status, body: { message } });

describe('POST /v1/context', () => {
  it("submits a verified-context token to the platform with the ticket's access token", async () => {
    expect(await submit()).toEqual({ status: 200, body: { status: 'accepted' } });
    const seen = fixture.upstream.seen.find(({ path }) => path === CONTEXT_PATH);
    expect(seen?.headers).toMatchObject({
      authorization: `Bearer ${fixture.accessToken}`,
      'content-type': 'application/json',
    });
    expect(JSON.parse(seen?.body ?? '')).toEqual({ token: TOKEN });
  });

  it.each([
    [404, 'session not found', 404, 'SESSION_NOT_FOUND'],
    [401, 'Invalid access token', 404, 'SESSION_NOT_FOUND'],
    [403, 'no', 404, 'SESSION_NOT_FOUND'],
    [404, 'Verified context not enabled', 404, 'CONTEXT_NOT_ENABLED'],
    [404, 'Resource not found', 404, 'CONTEXT_NOT_ENABLED'],
    [405, 'Method not allowed', 404, 'CONTEXT_NOT_ENABLED'],
    [413, 'Context token too large', 413, 'CONTEXT_TOKEN_TOO_LARGE'],
    [401, 'Invalid context token', 422, 'INVALID_CONTEXT_TOKEN'],
    [400, 'Error parsing request', 502, 'UPSTREAM_INVALID_RESPONSE'],
  ])('explains what %i %j means for a context submission', async (upstreamStatus, text, status, code) => {
    fixture.upstream.script(CONTEXT_PATH, [refuse(upstreamStatus, text)]);
    const answer = await submit();
    expect([answer.status, answer.body.code, answer.body.retryable]).toEqual([status, code, false]);
    expect(fixture.upstream.seen.filter(({ path }) => path === CONTEXT_PATH)).toHaveLength(1);
  });

  it('retries a submission after a fault, for at most five seconds', async () => {
    fixture.upstream.script(CONTEXT_PATH, [refuse(500, 'x'), { status: 204, raw: '' }]);
    expect((await submit()).status).toBe(200);
    fixture.upstream.script(CONTEXT_PATH, [refuse(500, 'x')]);
    const before = fixture.clock.now();
    expect((await submit()).body.code).toBe('UPSTREAM_UNAVAILABLE');
    expect(fixture.clock.now() - before).toBeLessThan(5_000);
    fixture.upstream.script(CONTEXT_PATH, [
      { status: 429, headers: { 'Retry-After': '30' }, body: { message: 'Rate limit exceeded' } },
    ]);
    expect((await submit()).body.code).toBe('UPSTREAM_RATE_LIMITED');
  });

  it('submits context only with a valid ticket', async () => {
    for (const body of [{ token: TOKEN }, { token: TOKEN, resume_ticket: `${ticket}x` }]) {
      expect((await submit(body)).body.code).toBe('RESUME_TICKET_INVALID');
    }
    await fixture.post('/v1/logout', { resume_ticket: ticket });
    expect((await submit()).body.code).toBe('RESUME_TICKET_INVALID');
    expect(fixture.upstream.seen.some(({ path }) => path === CONTEXT_PATH)).toBe(false);
  });

  it.each([
    [{}, '"token" is missing'],
    [{ token: '' }, '"token" must be'],
    [{ token: 1 }, '"token" must be'],
    [{ token: TOKEN, access_token: 'x' }, 'Unknown field "access_token"'],
  ])('refuses the body %j by name', async (body, message) => {
    const answer = await submit(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('calls the authorize hook for context, and does not log the token', async () => {
    await fixture.upstream.close();
    const routes: string[] = [];
    fixture = await createProxyFixture({
      authorize: (_, { route, origin }) => {
        routes.push(`${route} ${origin}`);
        return route !== 'context';
      },
    });
    const { resume_ticket } = Object(await (await fixture.post('/v1/session', {})).json());
    expect((await submit({ resume_ticket, token: TOKEN })).status).toBe(403);
    expect(routes).toEqual([`session ${PAGE_ORIGIN}`, `context ${PAGE_ORIGIN}`]);
    expect(JSON.stringify(fixture.logLines)).not.toContain(TOKEN);
  });
});
