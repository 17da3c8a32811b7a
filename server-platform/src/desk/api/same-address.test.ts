import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import {
  type DeskFixture,
  PASSWORD,
  startDeskFixture,
  type TestDesk,
} from '../../../test/desk/desk-fixture.ts';
import { COMMANDS } from '../../app/commands.ts';
import { hashPassword } from '../../staff/password.ts';
import { addPerson } from '../../staff/people.ts';

type Fields = Readonly<Record<string, unknown>>;

const EMAIL = 'grace@example.com';
const OTHER_PASSWORD = 'another password of hers';

let fixture: DeskFixture;
let admin: TestDesk;
let stranger: TestDesk;
beforeAll(async () => {
  fixture = await startDeskFixture(EMBEDDED_ENGINE);
  const { database } = fixture.platform;
  await database.query(
    "INSERT INTO accounts (id, slug, name, created_at) VALUES ('ACCOUNT-2', 'other', 'Other', 0)",
  );
  admin = await fixture.sitDown('Root', { role: 'admin' });
  stranger = await fixture.sitDown('Stranger', { role: 'admin', accountId: 'ACCOUNT-2', queueIds: [] });
  await fixture.sitDown('Grace');
});
afterAll(() => fixture.stop());
beforeEach(() => {
  fixture.oidc = null;
});

const post = async (
  path: string,
  body: object,
): Promise<{ status: number; body: Fields; cookie: string }> => {
  const answer = await fixture.fetch(
    new Request(`http://localhost/desk/api${path}`, {
      method: 'POST',
      headers: { 'X-Natter-Desk': '1' },
      body: JSON.stringify(body),
    }),
  );
  const cookie = (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  return { status: answer.status, body: (await answer.json()) as Fields, cookie };
};
const accountOf = async (cookie: string): Promise<string> => {
  const { database } = fixture.platform;
  const answer = await fixture.fetch(
    new Request('http://localhost/desk/api/me', { headers: { Cookie: cookie } }),
  );
  const { id } = (await answer.json()) as { id: string };
  const rows = await database.query<{ account_id: string }>(
    'SELECT account_id FROM desk_people WHERE id = $1',
    [id],
  );
  return rows[0]?.account_id ?? '';
};
const run = async (command: string, words: readonly string[]) =>
  await COMMANDS[command]?.run(fixture.platform.database, words, {
    ...{ domains: [], apps: [], permissions: [], isLegacy: false, audio: undefined },
  });

it('does not reveal that another account has an address, and does not affect its person', async () => {
  const invited = await stranger.call('POST /people', { email: EMAIL, name: 'Not Grace' });
  expect(invited.status).toBe(200);
  const again = await stranger.call('POST /people', { email: EMAIL.toUpperCase(), name: 'Not Grace' });
  expect([again.status, again.body['error_code']]).toEqual([409, 'TAKEN']);
  const own = await post('/sign-in', { email: EMAIL, password: PASSWORD });
  expect([own.status, await accountOf(own.cookie)]).toEqual([200, 'ACCOUNT-1']);
  const theirs = await post('/sign-in', { email: EMAIL, password: invited.body['password'] });
  expect([theirs.status, await accountOf(theirs.cookie)]).toEqual([200, 'ACCOUNT-2']);
  const { people } = (await stranger.call('GET /people')).body as { people: readonly Fields[] };
  expect(people.filter(({ email }) => email === EMAIL)).toHaveLength(1);
  // A person without one of its passwords learns nothing about it.
  expect((await post('/sign-in', { email: EMAIL, password: 'a guess of somebody' })).body).toMatchObject({
    error_code: 'WRONG_CREDENTIALS',
  });
});

it('asks for the account when address and password match in several', async () => {
  const passwordHash = await hashPassword(OTHER_PASSWORD);
  for (const accountId of ['ACCOUNT-1', 'ACCOUNT-2']) {
    const fields = { accountId, email: 'kit@example.com', name: 'Kit', role: 'agent', capacity: 1 } as const;
    const person = { ...fields, passwordHash, skills: [], languages: [], queueIds: [] };
    expect(await addPerson(fixture.platform.database, person, 0)).not.toBeNull();
  }
  const given = { email: 'kit@example.com', password: OTHER_PASSWORD };
  expect(await post('/sign-in', given)).toMatchObject({
    status: 409,
    body: { error_code: 'ACCOUNT_NEEDED', error_message: expect.stringContaining('a, other') },
  });
  const [one, two] = [
    await post('/sign-in', { ...given, account: 'a' }),
    await post('/sign-in', { ...given, account: 'ACCOUNT-2' }),
  ];
  expect([await accountOf(one.cookie), await accountOf(two.cookie)]).toEqual(['ACCOUNT-1', 'ACCOUNT-2']);
  expect((await post('/sign-in', { ...given, account: 'none' })).status).toBe(401);
});

it('asks for the account after a sign-in at the provider, and signs in to that one only', async () => {
  fixture.oidc = {
    name: 'Kittiwake',
    start: async () => ({
      url: new URL('https://login.example.com/'),
      transaction: { state: 's', nonce: 'n', verifier: 'v' },
    }),
    finish: async () => ({ status: 'verified', email: 'kit@example.com' }),
  };
  const open = async (path: string, cookie = '') =>
    await fixture.fetch(new Request(`http://localhost/desk/api${path}`, { headers: { Cookie: cookie } }));
  const visit = async (query: string) => {
    const started = await open(`/oidc/start${query}`);
    return await open('/oidc/callback?code=c', (started.headers.getSetCookie()[0] ?? '').split(';')[0]);
  };
  const asked = await visit('');
  expect(asked.headers.get('location')).toBe('/console/?sign_in=account_needed&accounts=a%2Cother');
  expect(asked.headers.getSetCookie().join()).not.toContain('natter-desk=');
  const done = await visit('?account=other');
  const cookie = done.headers.getSetCookie().find((each) => each.includes('natter-desk=')) ?? '';
  expect([done.headers.get('location'), await accountOf(cookie.split(';')[0] ?? '')]).toEqual([
    '/console/',
    'ACCOUNT-2',
  ]);
  expect((await visit('?account=none')).headers.get('location')).toBe('/console/?sign_in=unknown_person');
});

it('lets the command line name the account of an address that several have', async () => {
  await expect(run('person disable', ['kit@example.com'])).rejects.toThrow(
    'person disable ACCOUNT kit@example.com',
  );
  await run('person disable', ['other', 'kit@example.com']);
  const { people } = (await admin.call('GET /people')).body as { people: readonly Fields[] };
  expect(people.find(({ email }) => email === 'kit@example.com')).toMatchObject({ disabled_at: null });
  // Only one of them may sign in now.
  const own = await post('/sign-in', { email: 'kit@example.com', password: OTHER_PASSWORD });
  expect(await accountOf(own.cookie)).toBe('ACCOUNT-1');
});
