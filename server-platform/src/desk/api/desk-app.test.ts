import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import {
  type DeskFixture,
  PASSWORD,
  startDeskFixture,
  type TestDesk,
} from '../../../test/desk/desk-fixture.ts';
import { COMMANDS } from '../../app/commands.ts';
import { createPassword } from '../../staff/password.ts';
import { DESK_ROUTES } from './desk-app.ts';

describe('signing in at the desk', () => {
  let fixture: DeskFixture;
  let grace: TestDesk;
  let admin: TestDesk;
  beforeAll(async () => {
    fixture = await startDeskFixture(EMBEDDED_ENGINE);
    grace = await fixture.sitDown('Grace');
    admin = await fixture.sitDown('Root', { role: 'admin' });
  });
  afterAll(() => fixture.stop());

  const post = async (
    path: string,
    body: object,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> =>
    await fixture.fetch(
      new Request(`http://localhost/desk/api${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers,
      }),
    );
  const give = async (command: string, words: readonly string[], options = {}) =>
    await COMMANDS[command]?.run(fixture.platform.database, words, {
      ...{ domains: [], apps: [], permissions: [], isLegacy: false },
      ...options,
    });
  const run = async (command: string, words: readonly string[], options = {}): Promise<readonly string[]> =>
    (await give(command, words, options))?.lines ?? [];
  const OWN = { 'X-Natter-Desk': '1' };

  it('sets a sign-in cookie that scripts and other sites cannot use, and stores neither it nor the password', async () => {
    const answer = await post('/sign-in', { email: 'GRACE@example.com', password: PASSWORD }, OWN);
    const [cookie = '', device = ''] = answer.headers.getSetCookie();
    expect(device).toMatch(/^__Host-natter-device=.*; Path=\/; .*Secure; HttpOnly; SameSite=Strict$/);
    expect(cookie).toMatch(
      /^__Host-natter-desk=[\w-]{43}; Path=\/; Max-Age=57600; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ name: 'Grace', role: 'agent' });
    const stored = JSON.stringify([
      await fixture.platform.database.query('SELECT * FROM desk_sign_ins'),
      await fixture.platform.database.query('SELECT * FROM desk_people'),
    ]);
    expect(stored).toContain('scrypt$');
    expect(stored).not.toContain(cookie.slice(19, 62));
    expect(stored).not.toContain(PASSWORD);
  });

  it('refuses a wrong password and an unknown address alike', async () => {
    const wrong = await post('/sign-in', { email: 'grace@example.com', password: 'wrong' }, OWN);
    const unknown = await post('/sign-in', { email: 'nobody@example.com', password: 'wrong' }, OWN);
    const [a, b] = [await wrong.json(), await unknown.json()];
    expect([wrong.status, unknown.status, a.error_message]).toEqual([401, 401, b.error_message]);
  });

  it("refuses calls from another origin or without the desk's header", async () => {
    const body = { presence: 'away' };
    const signedIn = { ...OWN, Cookie: grace.cookie };
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ]) {
      const answer = await post('/presence', body, { ...signedIn, ...headers });
      expect([answer.status, (await answer.json()).error_code]).toEqual([403, 'FOREIGN_ORIGIN']);
    }
    const bare = await post('/presence', body, { Cookie: grace.cookie });
    expect([bare.status, (await bare.json()).error_code]).toEqual([403, 'HEADER_MISSING']);
    const own = await post('/presence', body, { ...signedIn, 'Sec-Fetch-Site': 'same-origin' });
    expect(own.status).toBe(200);
  });

  it('requires a sign-in for every other call, which ends on sign-out, password change and expiry', async () => {
    for (const { method, path, isPublic } of DESK_ROUTES) {
      if (isPublic) continue;
      const answer = await fixture.fetch(
        new Request(`http://localhost/desk/api${path.replace(/\{\w+\}/, 'ho_1')}`, { method, headers: OWN }),
      );
      expect([path, answer.status]).toEqual([path, 401]);
    }
    const ben = await fixture.sitDown('Ben');
    const again = async (): Promise<number> => (await ben.call('GET /me')).status;
    const next = createPassword();
    expect((await ben.call('POST /password', { current: 'wrong', next })).status).toBe(400);
    expect(
      (await ben.call('POST /password', { current: PASSWORD, next: 'short' })).body['error_message'],
    ).toBe('next must have at least 12 characters');
    expect((await ben.call('POST /password', { current: PASSWORD, next })).status).toBe(200);
    expect(await again()).toBe(200);
    const reset = (await run('person reset', ['ben@example.com'])).join();
    const [, password = ''] = /New password of .*: ([^ ,]+)/.exec(reset) ?? [];
    expect(await again()).toBe(401);
    const signIn = async (): Promise<number> =>
      (await post('/sign-in', { email: 'ben@example.com', password }, OWN)).status;
    await run('person disable', ['ben@example.com']);
    expect(await signIn()).toBe(401);
    await run('person enable', ['ben@example.com']);
    expect(await signIn()).toBe(200);
    await admin.call('POST /sign-out');
    expect((await admin.call('GET /me')).status).toBe(401);
    admin = await fixture.sitDown('Rita', { role: 'admin' });
    fixture.platform.clock.skip(17 * 3_600_000);
    expect((await admin.call('GET /me')).status).toBe(401);
  });

  it('refuses sign-ins after too many wrong passwords, but not from a known browser', async () => {
    fixture.platform.clock.skip(60_000);
    const release = fixture.platform.clock.hold();
    const right = { email: 'grace@example.com', password: PASSWORD };
    const [, known = ''] = (await post('/sign-in', right, OWN)).headers.getSetCookie();
    const answers: Response[] = [];
    for (let attempt = 0; attempt < 21; attempt += 1)
      answers.push(await post('/sign-in', { email: `grace${attempt}@example.com`, password: 'x' }, OWN));
    expect(answers.slice(-2).map(({ status }) => status)).toEqual([401, 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post('/sign-in', right, OWN)).status).toBe(429);
    const Cookie = known.split(';')[0] ?? '';
    expect((await post('/sign-in', right, { ...OWN, Cookie })).status).toBe(200);
    release();
    fixture.platform.clock.skip(60_000);
  });

  it('counts wrong current passwords like failed sign-ins', async () => {
    const tim = await fixture.sitDown('Tim');
    const release = fixture.platform.clock.hold();
    const guess = async (current: string): Promise<number> =>
      (await tim.call('POST /password', { current, next: createPassword() })).status;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) statuses.push(await guess('wrong'));
    expect(statuses).toEqual(Array(10).fill(400));
    expect(await guess(PASSWORD)).toBe(429);
    fixture.platform.clock.skip(60_000);
    expect(await guess(PASSWORD)).toBe(200);
    release();
    fixture.platform.clock.skip(60_000);
  });

  it('refuses texts that cannot be stored, and stores all others', async () => {
    const sue = await fixture.sitDown('Sue', { role: 'supervisor' });
    const odd = ['\u0000', 'a\u0000b'];
    for (const text of odd) {
      const bodies = [
        { name: text, text: 'x' },
        { name: 'x', text },
      ];
      for (const body of bodies) {
        const answer = await sue.call('POST /replies', body);
        expect([answer.status, answer.body['error_message']]).toEqual([
          400,
          expect.stringContaining('must not contain the character U+0000'),
        ]);
      }
    }
    expect((await sue.call('POST /replies', { name: '\ud800', text: '__proto__' })).status).toBe(200);
  });

  it('keeps at most 500 canned replies of an account', async () => {
    const sue = await fixture.sitDown('Sue', { role: 'supervisor' });
    const { database } = fixture.platform;
    await database.query(
      `INSERT INTO desk_replies (id, account_id, name, text, created_at)
       SELECT gen_random_uuid(), account_id, 'filler', 'x', 1 FROM desk_people, generate_series(1, 500) WHERE id = $1`,
      [sue.id],
    );
    const full = await sue.call('POST /replies', { name: 'one more', text: 'x' });
    expect([full.status, full.body['error_code']]).toEqual([409, 'TOO_MANY_REPLIES']);
    await database.query("DELETE FROM desk_replies WHERE name = 'filler'");
    expect((await sue.call('POST /replies', { name: 'one more', text: 'x' })).status).toBe(200);
  });

  it('limits agents to their role', async () => {
    const ann = await fixture.sitDown('Ann');
    expect((await ann.call('GET /audit')).body['error_code']).toBe('NOT_ALLOWED');
    expect((await ann.call('POST /replies', { name: 'a', text: 'b' })).status).toBe(403);
    expect((await ann.call('GET /requests/ho_unknown')).status).toBe(404);
    const root = await fixture.sitDown('Ruth', { role: 'admin' });
    expect((await root.call('POST /replies', { name: 'a', text: '' })).body['error_message']).toBe(
      'text must not be empty',
    );
    const { body } = await root.call('GET /audit');
    expect(body['entries']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ actor: 'ann@example.com', action: 'sign_in' }),
        expect.objectContaining({
          actor: 'command line',
          action: 'reset_password',
          subject: 'ben@example.com',
        }),
      ]),
    );
  });

  it('lets the command line add, list and remove people', async () => {
    const queue = await run('queue set', ['a', 'Billing'], {
      hours: 'Mo-Fr 09:00-17:00',
      timezone: 'Europe/London',
      skills: ['tax'],
    });
    expect(queue).toEqual(['Added queue Billing, open Mo-Fr 09:00-17:00 (Europe/London).']);
    await expect(
      run('queue set', ['a', 'Billing'], { hours: 'nine to five', timezone: 'UTC' }),
    ).rejects.toThrow(
      '--hours: Opening hours with "nine to five" cannot be read. Write them like this: Mo-Fr',
    );
    const added = await run('person add', ['a', 'new@example.com'], { name: 'New', queues: ['billing'] });
    const password = /Password: (\S+)/.exec(added.join('\n'))?.[1] ?? '';
    expect((await post('/sign-in', { email: 'new@example.com', password }, OWN)).status).toBe(200);
    await expect(run('person add', ['a', 'new@example.com'], { name: 'New' })).rejects.toThrow(
      'already exists',
    );
    const list = (await give('person list', ['a']))?.json;
    expect(list).toContainEqual(
      expect.objectContaining({ email: 'new@example.com', role: 'agent', queues: ['Billing'], capacity: 3 }),
    );
    expect((await run('queue list', ['a'])).join('\n')).toContain(
      'Billing  Mo-Fr 09:00-17:00 (Europe/London)  tax',
    );
    await run('person remove', ['new@example.com']);
    expect((await post('/sign-in', { email: 'new@example.com', password }, OWN)).status).toBe(401);
    expect(await run('queue remove', ['a', 'billing'])).toEqual([
      'Removed queue Billing and the record of its hand-offs.',
    ]);
  });

  it('describes every desk call in OpenAPI, with request and response', async () => {
    const answer = await fixture.fetch(new Request('http://localhost/desk/api/openapi.json'));
    const { paths, components } = await answer.json();
    const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted()).toEqual(DESK_ROUTES.map(({ id }) => id).toSorted());
    expect(paths['/inbox'].get.responses[200].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/DeskInbox',
    });
    expect(components.schemas.DeskRequest.required).toContain('status');
    expect(
      paths['/requests/{id}/messages'].post.requestBody.content['application/json'].schema,
    ).toMatchObject({
      required: ['id', 'text'],
    });
  });
});
