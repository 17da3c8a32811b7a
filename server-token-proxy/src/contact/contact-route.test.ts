import { afterEach, describe, expect, it } from 'vitest';
import { type Behaviour, SESSION_PATH } from '../../test/fake-upstream.ts';
import { createProxyFixture, PAGE_ORIGIN, type ProxyFixture, SESSION_ID } from '../../test/proxy-fixture.ts';

const ASKED = { name: 'Maren Voss', email: 'maren@example.com', text: 'Where is my bag?' };

let fixture: ProxyFixture;
afterEach(() => fixture.upstream.close());

async function start(overrides: Parameters<typeof createProxyFixture>[0]): Promise<Record<string, unknown>> {
  fixture = await createProxyFixture(overrides);
  return Object(await (await fixture.post('/v1/session', {})).json());
}

const ask = async (body: object) => {
  const response = await fixture.post('/v1/contact', body);
  return { status: response.status, body: Object(await response.json()) };
};

it("passes a contact request to the hook with the ticket's session, and does not log it", async () => {
  const calls: unknown[] = [];
  const { resume_ticket, offers } = await start({
    onContactRequest: (request, { signal: _, ...context }) => void calls.push([request, context]),
  });
  expect(offers).toEqual(['contact']);
  const answer = await ask({ ...ASKED, text: '  Where is my bag?\n', resume_ticket });
  expect(answer).toEqual({ status: 200, body: { status: 'accepted' } });
  expect((await ask({ email: 'a.b@c.example', text: 'x', resume_ticket })).status).toBe(200);
  const context = { sessionId: SESSION_ID, connector: 'default', origin: PAGE_ORIGIN };
  expect(calls).toEqual([
    [ASKED, context],
    [{ name: '', email: 'a.b@c.example', text: 'x' }, context],
  ]);
  expect(JSON.stringify(fixture.logLines)).not.toMatch(/maren|bag/i);
});

describe('at a platform that stores contact requests', () => {
  const PATH = `/api/v1/sessions/${SESSION_ID}/contact`;
  const startStoring = async (
    stored: Behaviour,
    overrides: Parameters<typeof createProxyFixture>[0] = {},
  ): Promise<Record<string, unknown>> => {
    fixture = await createProxyFixture(overrides);
    fixture.upstream.script(SESSION_PATH, [
      { status: 200, body: { session_id: SESSION_ID, offers: ['contact', 'else'] } },
    ]);
    fixture.upstream.script(PATH, [stored]);
    return Object(await (await fixture.post('/v1/session', {})).json());
  };
  const storing = () => fixture.upstream.seen.filter(({ path }) => path === PATH);

  it('offers and stores contact requests without a hook, with the session’s token, also after a resume', async () => {
    const { resume_ticket, offers } = await startStoring({ status: 204, raw: '' });
    expect(offers).toEqual(['contact']);
    const resumed = Object(await (await fixture.post('/v1/resume', { resume_ticket })).json());
    expect(resumed.offers).toEqual(['contact']);
    const answer = await ask({ ...ASKED, resume_ticket: resumed.resume_ticket });
    expect(answer).toEqual({ status: 200, body: { status: 'accepted' } });
    const [call] = storing();
    expect(JSON.parse(call?.body ?? '')).toEqual(ASKED);
    expect(call?.headers['authorization']).toBe(`Bearer ${fixture.accessToken}`);
  });

  it('stores a contact request before calling the hook, whose failure is then only logged', async () => {
    const order: number[] = [];
    const { resume_ticket } = await startStoring(
      { status: 204, raw: '' },
      {
        onContactRequest: () => {
          order.push(storing().length);
          throw new Error('The mail server is away.');
        },
      },
    );
    expect((await ask({ ...ASKED, resume_ticket })).status).toBe(200);
    expect(order).toEqual([1]);
    expect(fixture.logLines).toContainEqual({
      level: 'error',
      message: 'hook failed',
      fields: expect.objectContaining({ hook: 'onContactRequest', fault: expect.stringContaining('away') }),
    });
    expect(JSON.stringify(fixture.logLines)).not.toMatch(/maren|bag/i);
  });

  it.each([
    [404, 'session not found', [404, 'SESSION_NOT_FOUND']],
    [401, 'Invalid access token', [404, 'SESSION_NOT_FOUND']],
    [400, 'Error parsing request', [400, 'INVALID_REQUEST']],
    [429, 'Rate limit exceeded', [429, 'UPSTREAM_RATE_LIMITED']],
    [409, 'something else', [502, 'UPSTREAM_INVALID_RESPONSE']],
  ])(
    'does not call the contact hook when the platform refuses with %i %j',
    async (status, message, expected) => {
      const calls: unknown[] = [];
      const { resume_ticket } = await startStoring(
        { status, headers: { 'Retry-After': '60' }, body: { message } },
        { onContactRequest: (request) => void calls.push(request) },
      );
      const answer = await ask({ ...ASKED, resume_ticket });
      expect([answer.status, answer.body.code]).toEqual(expected);
      expect(calls).toEqual([]);
    },
  );

  it.each([
    [404, 'Resource not found'],
    [405, 'Method not allowed'],
  ])(
    'leaves a contact request to the hook when the platform no longer offers the call (%i %j)',
    async (status, message) => {
      const calls: unknown[] = [];
      const { resume_ticket } = await startStoring(
        { status, body: { message } },
        { onContactRequest: (request) => void calls.push(request) },
      );
      expect((await ask({ ...ASKED, resume_ticket })).status).toBe(200);
      expect(calls).toEqual([ASKED]);
      await fixture.upstream.close();
      const again = await startStoring({ status, body: { message } });
      const answer = await ask({ ...ASKED, resume_ticket: again['resume_ticket'] });
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
      expect(answer.body.message).toContain('not set up');
    },
  );
});

it('stores no contact request on a platform that does not offer it', async () => {
  const { resume_ticket } = await start({ onContactRequest: () => {} });
  await ask({ ...ASKED, resume_ticket });
  expect(fixture.upstream.seen.filter(({ path }) => path.endsWith('/contact'))).toEqual([]);
});

it("accepts no contact request without a hook, a ticket or the authorize hook's consent", async () => {
  const { resume_ticket } = await start({});
  expect((await ask({ ...ASKED, resume_ticket })).body.code).toBe('NOT_FOUND');
  await fixture.upstream.close();
  const calls: unknown[] = [];
  const started = await start({
    onContactRequest: (request) => void calls.push(request),
    authorize: (_, { route }) => route !== 'contact',
  });
  expect((await ask(ASKED)).body.code).toBe('RESUME_TICKET_INVALID');
  expect((await ask({ ...ASKED, resume_ticket: started['resume_ticket'] })).status).toBe(403);
  expect(calls).toEqual([]);
});

it('counts contact requests like new sessions, because each may send a mail', async () => {
  const { resume_ticket } = await start({
    onContactRequest: () => {},
    limits: { sessionsPerClient: 2, sessionsTotal: 0 },
  });
  const body = { ...ASKED, resume_ticket };
  const from = { clientAddress: '192.0.2.7' };
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1)
    statuses.push((await fixture.post('/v1/contact', body, {}, from)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

it('reports a failing contact hook without its message', async () => {
  const { resume_ticket } = await start({
    onContactRequest: () => {
      throw new Error('The mail server is away.');
    },
  });
  const answer = await ask({ ...ASKED, resume_ticket });
  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer.body)).not.toContain('mail server');
});

it.each([
  [{ email: 'maren@example.com' }, '"text" is missing'],
  [{ ...ASKED, text: ' ' }, '"text" must be'],
  [{ ...ASKED, text: 'x'.repeat(2_001) }, 'at most 2000 characters'],
  [{ ...ASKED, text: 'a\0b' }, '"text" must be'],
  [{ ...ASKED, email: 'maren@example' }, '"email" must be an email address'],
  [{ ...ASKED, email: 'a@b.example\nBcc: c@d.example' }, '"email" must be an email address'],
  [{ ...ASKED, email: 'a@b.example, c@d.example' }, '"email" must be an email address'],
  [{ ...ASKED, name: 'Maren\nBcc: c@d.example' }, '"name" must be one line'],
  [{ ...ASKED, phone: '1' }, 'Unknown field "phone"'],
])('refuses the body %j by name', async (body, message) => {
  await start({ onContactRequest: () => {} });
  const answer = await ask(body);
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
});
