import { afterEach, expect, it } from 'vitest';
import { createProxyFixture, PAGE_ORIGIN, type ProxyFixture, SESSION_ID } from '../../test/proxy-fixture.ts';

const RATED = { message_id: 'msg_1', rating: 'down', reason: 'The sailing at 9:20 is missing.' };

let fixture: ProxyFixture;
afterEach(() => fixture.upstream.close());

type Overrides = Parameters<typeof createProxyFixture>[0];

/** Starts a visitor's session, with the offers in its response. */
async function start(overrides: Overrides): Promise<{ readonly ticket: string; readonly offers: unknown }> {
  fixture = await createProxyFixture(overrides);
  const { resume_ticket, offers } = Object(await (await fixture.post('/v1/session', {})).json());
  return { ticket: resume_ticket, offers };
}

const give = async (body: object) => {
  const response = await fixture.post('/v1/feedback', body);
  return { status: response.status, body: Object(await response.json()) };
};

it("passes a rating to the hook with the ticket's session (EXT-6)", async () => {
  const calls: unknown[] = [];
  const { ticket, offers } = await start({
    onFeedback: (feedback, { signal: _, ...context }) => void calls.push([feedback, context]),
  });
  expect(offers).toEqual(['feedback']);
  expect(await give({ ...RATED, resume_ticket: ticket })).toEqual({
    status: 200,
    body: { status: 'accepted' },
  });
  expect((await give({ message_id: 'msg_1', rating: null, resume_ticket: ticket })).status).toBe(200);
  const context = { sessionId: SESSION_ID, connector: 'default', origin: PAGE_ORIGIN };
  expect(calls).toEqual([
    [{ messageId: 'msg_1', rating: 'down', reason: RATED.reason }, context],
    [{ messageId: 'msg_1', rating: null, reason: null }, context],
  ]);
  expect(JSON.stringify(fixture.logLines)).not.toContain(RATED.reason);
});

it('neither offers nor accepts ratings without a hook', async () => {
  const { ticket, offers } = await start({});
  expect(offers).toEqual([]);
  expect((await give({ ...RATED, resume_ticket: ticket })).body.code).toBe('NOT_FOUND');
});

it("accepts a rating only with a valid ticket and the authorize hook's consent", async () => {
  let isWelcome = true;
  const calls: unknown[] = [];
  const { ticket } = await start({
    onFeedback: (feedback) => void calls.push(feedback),
    authorize: (_, { route }) => route !== 'feedback' || isWelcome,
  });
  expect((await give(RATED)).body.code).toBe('RESUME_TICKET_INVALID');
  expect((await give({ ...RATED, resume_ticket: `${ticket}x` })).body.code).toBe('RESUME_TICKET_INVALID');
  isWelcome = false;
  expect((await give({ ...RATED, resume_ticket: ticket })).body.code).toBe('ORIGIN_NOT_ALLOWED');
  isWelcome = true;
  await fixture.post('/v1/logout', { resume_ticket: ticket });
  expect((await give({ ...RATED, resume_ticket: ticket })).body.code).toBe('RESUME_TICKET_INVALID');
  expect(calls).toEqual([]);
});

it('lets the page retry when the feedback hook fails, and logs the reason', async () => {
  const { ticket } = await start({
    onFeedback: async () => {
      throw new Error('The CRM is away.');
    },
  });
  const answer = await give({ ...RATED, resume_ticket: ticket });
  expect([answer.status, answer.body.retryable]).toEqual([500, true]);
  expect(JSON.stringify(answer.body)).not.toContain('CRM');
  expect(JSON.stringify(fixture.logLines)).toContain('The CRM is away.');
});

it.each([
  [{ rating: 'up' }, '"message_id" is missing'],
  [{ ...RATED, rating: 'sideways' }, '"rating" must be up, down or null'],
  [{ ...RATED, reason: 'x'.repeat(1_001) }, '"reason" must be a text of at most 1000 characters'],
  [{ ...RATED, text: 'x' }, 'Unknown field "text"'],
])('refuses the body %j by name', async (body, message) => {
  await start({ onFeedback: () => {} });
  const answer = await give(body);
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
});

it('accepts a reason of 1,000 four-byte characters', async () => {
  const { ticket } = await start({ onFeedback: () => {} });
  const reason = '\u{1F6A2}'.repeat(1_000);
  expect((await give({ ...RATED, reason, resume_ticket: ticket })).status).toBe(200);
});
