import { afterAll, beforeAll, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import {
  type DeskFixture,
  PASSWORD,
  startDeskFixture,
  type TestDesk,
} from '../../../test/desk/desk-fixture.ts';
import { DESK_ROUTES } from './desk-app.ts';

type Fields = Readonly<Record<string, unknown>>;

let fixture: DeskFixture;
let admin: TestDesk;
beforeAll(async () => {
  fixture = await startDeskFixture(EMBEDDED_ENGINE);
  admin = await fixture.sitDown('Root', { role: 'admin', isAway: true });
});
afterAll(() => fixture.stop());

const signIn = async (email: string, password: string): Promise<number> =>
  (await admin.call('POST /sign-in', { email, password }, { Cookie: '' })).status;
const peopleNow = async (): Promise<readonly Fields[]> =>
  (await admin.call('GET /people')).body['people'] as readonly Fields[];
const errorOf = async (answer: Promise<{ status: number; body: Fields }>): Promise<readonly unknown[]> => {
  const { status, body } = await answer;
  return [status, body['error_code']];
};

it('invites people with a password that is shown once, and changes their rights', async () => {
  const { body } = await admin.call('GET /people');
  const queueId = (body['queues'] as readonly Fields[])[0]?.['id'];
  const person = { email: 'New@example.com', name: 'New', queue_ids: [queueId], languages: ['de'] };
  const invited = await admin.call('POST /people', person);
  expect(invited.status).toBe(200);
  const password = String(invited.body['password']);
  expect(await signIn('new@example.com', password)).toBe(200);
  expect(await errorOf(admin.call('POST /people', person))).toEqual([409, 'TAKEN']);
  const path = `/people/${invited.body['id']}`;
  await admin.call(`PUT ${path}`, { role: 'supervisor', capacity: 5, queue_ids: [] });
  expect((await peopleNow()).find(({ id }) => id === invited.body['id'])).toMatchObject({
    ...{ email: 'new@example.com', name: 'New', role: 'supervisor', capacity: 5, queue_ids: [] },
    ...{ languages: ['de'], presence: 'offline', disabled_at: null },
  });
  expect(JSON.stringify(await peopleNow())).not.toContain('scrypt');
  const reset = await admin.call(`POST ${path}/reset`);
  expect(await signIn('new@example.com', password)).toBe(401);
  expect(await signIn('new@example.com', String(reset.body['password']))).toBe(200);
});

it('keeps words of people with half of a surrogate pair, which the database refuses', async () => {
  const words = { skills: ['tax \ud800'], languages: ['\udc00'] };
  const { body } = await admin.call('POST /people', { email: 'odd@example.com', name: 'Odd', ...words });
  const kept = { skills: ['tax \ufffd'], languages: ['\ufffd'] };
  const find = async () => (await peopleNow()).find(({ id }) => id === body['id']);
  expect(await find()).toMatchObject(kept);
  await admin.call(`PUT /people/${body['id']}`, { skills: ['\ud800'] });
  expect(await find()).toMatchObject({ ...kept, skills: ['\ufffd'] });
});
it('refuses unknown people, queues and roles, and changes that leave no admin', async () => {
  const other = 'c0ffee00-0000-4000-8000-000000000000';
  const own = `/people/${admin.id}`;
  const bad = { email: 'bad', name: 'x' };
  expect((await admin.call('POST /people', bad)).body['error_message']).toBe(
    'email must be an email address',
  );
  const unknownQueue = { email: 'x@example.com', name: 'x', queue_ids: [other] };
  expect(await errorOf(admin.call('POST /people', unknownQueue))).toEqual([404, 'NOT_FOUND']);
  expect(await errorOf(admin.call(`PUT /people/${other}`, { name: 'x' }))).toEqual([404, 'NOT_FOUND']);
  expect(await errorOf(admin.call(`PUT ${own}`, { role: 'owner' }))).toEqual([400, 'INVALID']);
  expect(await errorOf(admin.call(`PUT ${own}`, { capacity: 0 }))).toEqual([400, 'INVALID']);
  for (const [call, body] of [
    [`PUT ${own}`, { role: 'agent' }],
    [`POST ${own}/disable`, undefined],
    [`POST ${own}/reset`, undefined],
  ] as const)
    expect(await errorOf(admin.call(call, body))).toEqual([409, 'NOT_YOURSELF']);
  expect((await admin.call(`PUT ${own}`, { name: 'Ruth' })).status).toBe(200);
});

it('disables a person at once, reassigns their conversation, and enables them again', async () => {
  const grace = await fixture.sitDown('Grace');
  const visitor = await fixture.visit();
  visitor.send('USER_MESSAGE', { text: 'a person, please' });
  const requestsOf = async (desk: TestDesk) =>
    ((await desk.call('GET /inbox')).body['requests'] ?? []) as readonly Fields[];
  await expect.poll(async () => (await requestsOf(grace))[0]?.['status']).toBe('offered');
  await grace.call(`POST /requests/${(await requestsOf(grace))[0]?.['id']}/accept`);
  await visitor.next('LIVE_AGENT_JOINED');
  const ben = await fixture.sitDown('Ben');
  const stream = await grace.fetch('GET /stream');
  expect((await admin.call(`POST /people/${grace.id}/disable`)).status).toBe(200);
  expect(await stream.text()).toContain('event: closed\ndata: {"reason":"signed_out"}');
  expect((await grace.call('GET /me')).status).toBe(401);
  expect(await signIn('grace@example.com', PASSWORD)).toBe(401);
  await visitor.next('LIVE_AGENT_LEFT');
  expect((await requestsOf(ben)).map((each) => each['status'])).toEqual(['offered']);
  const { people } = (await ben.call('GET /inbox')).body as { people: readonly Fields[] };
  expect(people.map(({ name }) => name)).not.toContain('Grace');
  await admin.call(`POST /people/${grace.id}/enable`);
  expect(await signIn('grace@example.com', PASSWORD)).toBe(200);
});

it('signs a person out everywhere, and logs who did what', async () => {
  const tim = await fixture.sitDown('Tim');
  await admin.call(`POST /people/${tim.id}/sign-out`);
  expect((await tim.call('GET /me')).status).toBe(401);
  const { entries } = (await admin.call('GET /audit')).body as { entries: readonly Fields[] };
  const wanted = ['sign_out_everywhere', 'enable_person', 'disable_person', 'reset_password'];
  const subjects = ['tim@example.com', 'grace@example.com', 'grace@example.com', 'new@example.com'];
  const found = entries.filter(({ action }) => wanted.includes(String(action)));
  expect(found.map(({ action }) => action)).toEqual(wanted);
  expect(found.map(({ subject }) => subject)).toEqual(subjects);
  expect(new Set(found.map(({ actor }) => actor))).toEqual(new Set(['root@example.com']));
  const before = found[0]?.['id'];
  const older = (await admin.call(`GET /audit?before=${before}`)).body['entries'] as readonly Fields[];
  expect(older.length).toBeGreaterThan(0);
  expect(Math.max(...older.map(({ id }) => Number(id)))).toBeLessThan(Number(before));
});

it('allows managing people to admins only', async () => {
  const boss = await fixture.sitDown('Sue', { role: 'supervisor' });
  const routes = DESK_ROUTES.filter(({ path }) => path.startsWith('/people'));
  expect(routes.length).toBeGreaterThan(5);
  for (const { method, path } of routes)
    expect(await errorOf(boss.call(`${method} ${path.replace('{id}', admin.id)}`))).toEqual([
      403,
      'NOT_ALLOWED',
    ]);
});
