import { afterEach, expect, it } from 'vitest';
import { createProxyFixture, PAGE_ORIGIN, type ProxyFixture, SESSION_ID } from './testing/proxy-fixture.ts';

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

it('hands a request to the hook, with the session that the ticket names, and logs none of it', async () => {
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

it('takes nothing without a hook, a ticket, or the word of the site', async () => {
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

it('is limited like new sessions of a client, because each may send a mail', async () => {
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

it('shows a hook that fails as a failure, without its words', async () => {
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
  [{ ...ASKED, text: 'x'.repeat(2_001) }, '"text" must be'],
  [{ ...ASKED, email: 'maren@example' }, '"email" must be an e-mail address'],
  [{ ...ASKED, email: 'a@b.example\nBcc: c@d.example' }, '"email" must be an e-mail address'],
  [{ ...ASKED, email: 'a@b.example, c@d.example' }, '"email" must be an e-mail address'],
  [{ ...ASKED, name: 'Maren\nBcc: c@d.example' }, '"name" must be one line'],
  [{ ...ASKED, phone: '1' }, 'Unknown field "phone"'],
])('refuses the body %j by name', async (body, message) => {
  await start({ onContactRequest: () => {} });
  const answer = await ask(body);
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
});
