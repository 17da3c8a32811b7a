import { afterAll, beforeAll, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { type DeskFixture, PASSWORD, startDeskFixture } from '../../test/desk/desk-fixture.ts';
import { createCheckSignIn, type SignInAttempt } from './check-sign-in.ts';
import { isDeskError } from './desk-error.ts';
import { writeDeviceCookie } from './known-device.ts';
import { findPeopleByEmail } from './people.ts';

let fixture: DeskFixture;
beforeAll(async () => {
  fixture = await startDeskFixture(EMBEDDED_ENGINE);
  for (const name of ['Grace', 'Ben']) await fixture.sitDown(name);
});
afterAll(() => fixture.stop());

/** Attempts with a separate limit; each resolves with a status. */
function createAttempts() {
  const { database, clock } = fixture.platform;
  // The counters depend on the outcome only: no scrypt for hundreds of guesses.
  const isPassword = async (password: string, hash: string | null) => hash !== null && password === PASSWORD;
  const check = createCheckSignIn(database, clock, isPassword);
  return async (given: Partial<SignInAttempt>): Promise<number> => {
    const attempt = { email: 'grace@example.com', account: null, password: PASSWORD, address: '192.0.2.1' };
    try {
      await check({ ...attempt, cookies: null, signIn: null, ...given });
      return 200;
    } catch (error) {
      if (isDeskError(error)) return error.status;
      throw error;
    }
  };
}

/** The status of each of so many attempts, all at once. */
const all = async (count: number, attempt: (index: number) => Promise<number>): Promise<readonly number[]> =>
  await Promise.all(Array.from({ length: count }, (_, index) => attempt(index)));

const cookieOf = async (email: string): Promise<string> => {
  const [person] = await findPeopleByEmail(fixture.platform.database, email);
  if (person === undefined) throw new Error(`There is no ${email}.`);
  return writeDeviceCookie(person).split(';')[0] ?? '';
};

it('never counts correct passwords', async () => {
  const attempt = createAttempts();
  for (let round = 0; round < 3; round += 1)
    expect(new Set(await all(10, () => attempt({})))).toEqual(new Set([200]));
  expect(await attempt({ password: 'wrong' })).toBe(401);
});

it('refuses an address that guesses passwords, under any name, and no other address', async () => {
  const attempt = createAttempts();
  const guesses = await all(25, (index) => attempt({ email: `${index % 5}@example.com`, password: 'x' }));
  expect(guesses.filter((status) => status === 401)).toHaveLength(20);
  expect(guesses.filter((status) => status === 429)).toHaveLength(5);
  expect(await attempt({})).toBe(429);
  expect(await attempt({ address: '198.51.100.7' })).toBe(200);
});

it("does not lock a person out because of one stranger's guesses", async () => {
  const attempt = createAttempts();
  await all(25, () => attempt({ password: 'x' }));
  expect(await attempt({ address: '198.51.100.7' })).toBe(200);
  expect(await attempt({ cookies: await cookieOf('grace@example.com') })).toBe(200);
});

it("limits password guesses for one person from many addresses, except from that person's browsers", async () => {
  const attempt = createAttempts();
  const addressed = (index: number) => attempt({ address: `203.0.113.${index}`, password: 'x' });
  const guesses = [...(await all(40, addressed)), ...(await all(40, (index) => addressed(index + 40)))];
  expect(guesses.filter((status) => status === 401)).toHaveLength(60);
  expect(await attempt({})).toBe(429);
  expect(await attempt({ email: 'ben@example.com' })).toBe(200);
  expect(await attempt({ cookies: await cookieOf('grace@example.com') })).toBe(200);
});

it("limits password guesses with a known browser's cookie, and accepts it only for its own person", async () => {
  const attempt = createAttempts();
  const cookies = await cookieOf('grace@example.com');
  const guesses = await all(12, () => attempt({ cookies, password: 'x' }));
  expect(guesses.filter((status) => status === 429)).toHaveLength(2);
  expect(await attempt({ cookies })).toBe(429);
  expect(await attempt({})).toBe(200);
  await all(25, () => attempt({ password: 'x' }));
  expect(await attempt({ cookies: await cookieOf('ben@example.com') })).toBe(429);
});
