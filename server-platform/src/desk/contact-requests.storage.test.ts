import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../test/desk/desk-fixture.ts';
import type { TestAnswer, TestSession } from '../../test/realtime/test-platform.ts';

type Fields = Readonly<Record<string, unknown>>;

const WORDS = { name: 'Maren Voss', email: 'maren@example.com', text: 'Where is my bag?' };

describeStorage('contact requests for an answer by email', (engine) => {
  let fixture: DeskFixture;
  let grace: TestDesk;
  let session: TestSession;
  beforeAll(async () => {
    fixture = await startDeskFixture(engine);
    grace = await fixture.sitDown('Grace');
  });
  beforeEach(async () => {
    session = await fixture.platform.startSession();
  });
  afterAll(async () => {
    expect(fixture.platform.failures).toEqual([]);
    await fixture.stop();
  });

  const post = async (what: string, body: object, token = session.accessToken): Promise<TestAnswer> =>
    await fixture.platform.post(
      `/api/v1/sessions/${session.sessionId}/${what}`,
      { Authorization: `Bearer ${token}` },
      JSON.stringify(body),
    );
  const leave = (words: object, token?: string): Promise<TestAnswer> => post('contact', words, token);
  const shown = async (): Promise<readonly Fields[]> =>
    (await grace.call('GET /inbox')).body['contact_requests'] as readonly Fields[];
  const all = async (): Promise<readonly Fields[]> =>
    (await grace.call('GET /contact-requests')).body['contact_requests'] as readonly Fields[];

  it('offers contact requests, stores them, shows them to desk and visitor, completes and reopens them', async () => {
    const headers = { Authorization: `Bearer ${await fixture.platform.mintToken()}` };
    const created = await fixture.platform.post('/api/v1/sessions', headers, '{}');
    expect(created.body).toEqual({ session_id: expect.any(String), offers: ['contact'] });

    expect((await leave({ ...WORDS, text: '  Where is my bag?\n' })).status).toBe(204);
    const [left] = await shown();
    expect(left).toEqual({
      ...WORDS,
      id: expect.any(String),
      project: 'P',
      conversation_id: null,
      created_at: expect.any(String),
      done_at: null,
      done_by: null,
    });
    expect((await post('data', {})).body['contact_requests']).toEqual([
      { ...WORDS, created_at: left?.['created_at'] },
    ]);

    const path = `PUT /contact-requests/${left?.['id']}/done`;
    expect((await grace.call(path, {})).status).toBe(400);
    expect((await grace.call(path, { done: true })).status).toBe(200);
    expect(await shown()).toEqual([]);
    expect(await all()).toEqual([{ ...left, done_at: expect.any(String), done_by: 'Grace' }]);
    await grace.call(path, { done: false });
    expect(await shown()).toEqual([left]);
    await grace.call(path, { done: true });
    const admin = await fixture.sitDown('Root', { role: 'admin' });
    const { entries } = (await admin.call('GET /audit')).body;
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          actor: 'grace@example.com',
          action: 'contact_done',
          subject: left?.['id'],
        }),
      ]),
    );
    expect(JSON.stringify(entries)).not.toMatch(/maren|bag/i);
  });

  it('names the conversation of a contact request once there is one', async () => {
    session = await fixture.platform.converse();
    await leave(WORDS);
    const [left] = await shown();
    expect(left?.['conversation_id']).toMatch(/^CONV-/);
    await grace.call(`PUT /contact-requests/${left?.['id']}/done`, { done: true });
  });

  it('allows one contact request a minute and five in all, and stores an identical one once', async () => {
    const { clock } = fixture.platform;
    expect((await leave(WORDS)).status).toBe(204);
    clock.skip(15_000);
    expect((await leave(WORDS)).status).toBe(204);
    const early = await leave({ ...WORDS, text: 'And my hat?' });
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '45']);
    const statuses: number[] = [];
    for (const text of ['2', '3', '4', '5', '6']) {
      clock.skip(60_000);
      statuses.push((await leave({ ...WORDS, text })).status);
    }
    expect(statuses).toEqual([204, 204, 204, 204, 429]);
    expect((await shown()).map(({ text }) => text)).toEqual([WORDS.text, '2', '3', '4', '5']);
    for (const { id } of await shown()) await grace.call(`PUT /contact-requests/${id}/done`, { done: true });
  });

  it('stores one of two concurrent contact requests', async () => {
    const answers = await Promise.all(['a', 'b'].map((text) => leave({ ...WORDS, text })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 429]);
    for (const { id } of await shown()) await grace.call(`PUT /contact-requests/${id}/done`, { done: true });
  });

  it('refuses a contact request while a thousand of the project are open, and accepts it when one is done', async () => {
    const { database } = fixture.platform;
    expect((await leave(WORDS)).status).toBe(204);
    await database.query(
      `INSERT INTO contact_requests (id, account_id, project_id, session_id, name, email, text, created_at)
       SELECT gen_random_uuid(), account_id, project_id, gen_random_uuid(), name, email, text, created_at
         FROM contact_requests, generate_series(1, 999) WHERE done_at IS NULL`,
    );
    session = await fixture.platform.startSession();
    const refused = await leave(WORDS);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    const [first] = await shown();
    await grace.call(`PUT /contact-requests/${first?.['id']}/done`, { done: true });
    expect((await leave(WORDS)).status).toBe(204);
    await database.query('DELETE FROM contact_requests WHERE done_at IS NULL');
  });

  it("shows a contact request only to the session's visitor and the account's staff", async () => {
    const other = await fixture.platform.mintToken();
    expect((await leave(WORDS, other)).status).toBe(401);
    await leave(WORDS);
    const { database } = fixture.platform;
    await database.query(
      "INSERT INTO accounts (id, slug, name, created_at) VALUES ('ACCOUNT-2', 'b', 'B', 0)",
    );
    const stranger = await fixture.sitDown('Stranger', { accountId: 'ACCOUNT-2' });
    const [left] = await shown();
    expect((await stranger.call('GET /inbox')).body['contact_requests']).toEqual([]);
    expect((await stranger.call('GET /contact-requests')).body['contact_requests']).toEqual([]);
    for (const id of [left?.['id'], randomUUID(), 'no-uuid']) {
      const answer = await stranger.call(`PUT /contact-requests/${id}/done`, { done: true });
      expect([answer.status, answer.body['error_code']]).toEqual([404, 'NOT_FOUND']);
    }
    expect(await shown()).toEqual([left]);
    await grace.call(`PUT /contact-requests/${left?.['id']}/done`, { done: true });
  });

  it.each([
    ['nothing', {}],
    ['no text', { email: 'maren@example.com' }],
    ['a blank text', { ...WORDS, text: ' ' }],
    ['a long text', { ...WORDS, text: 'x'.repeat(2_001) }],
    ['a text with U+0000', { ...WORDS, text: 'a\0b' }],
    ['no address', { ...WORDS, email: 'maren@example' }],
    ['an address of two lines', { ...WORDS, email: 'a@b.example\nBcc: c@d.example' }],
    ['a long address', { ...WORDS, email: `${'a'.repeat(250)}@b.example` }],
    ['a name of two lines', { ...WORDS, name: 'Maren\nBcc: c@d.example' }],
    ['a long name', { ...WORDS, name: 'x'.repeat(101) }],
    ['a number as a name', { ...WORDS, name: 7 }],
  ])('refuses %s, and stores nothing', async (_, body) => {
    const answer = await leave(body);
    expect([answer.status, answer.body['error_code']]).toEqual([400, 'INVALID_REQUEST_BODY']);
    expect(await shown()).toEqual([]);
  });
});
