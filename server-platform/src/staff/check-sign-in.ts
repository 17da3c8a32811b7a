import PQueue from 'p-queue';
import { findAccount, findAccountById, hashToken } from '../accounts/index.ts';
import type { Database } from '../db/index.ts';
import type { Clock } from '../kit/clock.ts';
import { createWindowLimiter, type WindowLimiter } from '../kit/http/index.ts';
import { DeskError } from './desk-error.ts';
import { readKnownDevice } from './known-device.ts';
import { checkPassword } from './password.ts';
import { findPeopleByEmail, type Person } from './people.ts';

/** An attempt to sign in. */
export interface SignInAttempt {
  readonly email: string;
  /** Slug or id of the person's account; null: any account with this address and password. */
  readonly account: string | null;
  readonly password: string;
  /** The client's address. */
  readonly address: string;
  /** The `Cookie` header, which may name a known browser. */
  readonly cookies: string | null;
  /** Hash of the current sign-in; null: signed out. */
  readonly signIn: string | null;
}

const MINUTE_MS = 60_000;
const PER_ADDRESS = 20;
const PER_DEVICE = 10;
// Higher than the limit per address, so that a single stranger cannot use it up.
const PER_PERSON = 60;
// Two per sign-in; an office may share an address.
const OIDC_PER_ADDRESS = 60;
// Each temporarily uses 32 MiB.
const CHECKS_AT_ONCE = 2;
const MAX_WAITING = 50;
// Accounts with the same address whose passwords are checked for one attempt.
const MAX_CANDIDATES = 10;

/**
 * Makes the check of sign-ins. Wrong passwords are limited: for a browser that the person has used before by that
 * browser only, so that strangers cannot lock the person out; for others by address and by person. An attempt is
 * counted before its password is checked, because the check is expensive by design, and undone when the password is
 * right.
 */
export function createCheckSignIn(
  database: Database,
  clock: Clock,
  isPassword: typeof checkPassword = checkPassword,
): (attempt: SignInAttempt) => Promise<Person> {
  const create = (limit: number) => createWindowLimiter({ limit, windowMs: MINUTE_MS });
  const [addresses, persons, devices] = [create(PER_ADDRESS), create(PER_PERSON), create(PER_DEVICE)];
  const checks = new PQueue({ concurrency: CHECKS_AT_ONCE });
  return async ({ email, account, password, address, cookies, signIn }) => {
    const people = await findCandidates(database, email, account);
    const device =
      signIn ??
      people.map((person) => readKnownDevice(cookies, person)).find((each) => each !== null) ??
      null;
    const counts: readonly (readonly [WindowLimiter, string])[] =
      device === null
        ? [
            [addresses, address],
            [persons, hashToken(email.toLowerCase())],
          ]
        : [[devices, device]];
    const takeBack = count(counts, clock.now());
    const rightful: Person[] = [];
    // Checks a dummy password for an unknown person, which takes as long as a real one.
    for (const person of people.length === 0 ? [null] : people) {
      if (checks.size >= (device === null ? MAX_WAITING : 2 * MAX_WAITING)) {
        takeBack();
        throw tooMany(1);
      }
      const isRight = await checks.add(() => isPassword(password, person?.passwordHash ?? null), {
        priority: device === null ? 0 : 1,
      });
      if (person !== null && person.disabledAtMs === null && isRight === true) rightful.push(person);
    }
    const [person] = rightful;
    if (person === undefined)
      throw new DeskError(
        401,
        'WRONG_CREDENTIALS',
        account === null
          ? 'Email address or password is wrong.'
          : 'Email address, password or account is wrong.',
      );
    takeBack();
    if (rightful.length > 1) throw await accountNeeded(database, rightful);
    return person;
  };
}

/** People whom an attempt may belong to. With very many accounts for an address, the account must be named. */
async function findCandidates(
  database: Database,
  email: string,
  reference: string | null,
): Promise<readonly Person[]> {
  const people = await findPeopleAt(database, email, reference);
  return people.length > MAX_CANDIDATES ? [] : people;
}

/** The people with an email address in the account that a reference names; without one, in all. */
export async function findPeopleAt(
  database: Database,
  email: string,
  reference: string | null,
): Promise<readonly Person[]> {
  if (reference === null) return await findPeopleByEmail(database, email);
  const account = reference.includes('\0') ? null : await findAccount(database, reference);
  return account === null ? [] : await findPeopleByEmail(database, email, account.id);
}

/** Only shown to people whose password or provider has proved the address. */
async function accountNeeded(database: Database, people: readonly Person[]): Promise<DeskError> {
  const slugs = await listSlugs(database, people);
  return new DeskError(
    409,
    'ACCOUNT_NEEDED',
    `You are in several accounts: ${slugs.join(', ')}. Send the one you want as account.`,
  );
}

/** The accounts of people, as addresses name them. */
export async function listSlugs(database: Database, people: readonly Person[]): Promise<readonly string[]> {
  const found = await Promise.all(people.map(({ accountId }) => findAccountById(database, accountId)));
  return found.flatMap((account) => account?.slug ?? []).toSorted();
}

/** Makes the limit of visits to the OpenID provider, by address. */
export function createOidcLimit(clock: Clock): (address: string) => void {
  const limiter = createWindowLimiter({ limit: OIDC_PER_ADDRESS, windowMs: MINUTE_MS });
  return (address) => {
    const verdict = limiter.use(address, clock.now());
    if (!verdict.allowed) throw tooMany(verdict.retryAfterSeconds);
  };
}

/** Counts an attempt in all limits or none. Returns a function that undoes it. */
function count(counts: readonly (readonly [WindowLimiter, string])[], nowMs: number): () => void {
  const done: (() => void)[] = [];
  const takeBack = (): void => {
    for (const undo of done) undo();
  };
  for (const [limiter, key] of counts) {
    const verdict = limiter.use(key, nowMs);
    if (!verdict.allowed) {
      takeBack();
      throw tooMany(verdict.retryAfterSeconds);
    }
    done.push(() => limiter.takeBack(key, nowMs));
  }
  return takeBack;
}

function tooMany(seconds: number): DeskError {
  return new DeskError(429, 'TOO_MANY', `Too many attempts: try again in ${seconds} s.`, seconds);
}
