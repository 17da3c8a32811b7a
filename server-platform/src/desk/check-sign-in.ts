import PQueue from 'p-queue';
import { hashToken } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { createWindowLimiter, type WindowLimiter } from '../http/index.ts';
import { DeskError } from './desk-error.ts';
import { readKnownDevice } from './known-device.ts';
import { checkPassword } from './password.ts';
import { findPersonByEmail, type Person } from './people.ts';

/** An attempt to sign in. */
export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The client's address. */
  readonly address: string;
  /** The `Cookie` header, which may name a known browser. */
  readonly cookies: string | null;
  /** Hash of the sign-in under which the attempt is made; null: nobody is signed in. */
  readonly signIn: string | null;
}

const MINUTE_MS = 60_000;
const PER_ADDRESS = 20;
const PER_DEVICE = 10;
// More than one address may try: a single stranger cannot use it up.
const PER_PERSON = 60;
// Two for each sign-in; an office may share an address.
const OIDC_PER_ADDRESS = 60;
// Each takes 32 MiB for a moment.
const CHECKS_AT_ONCE = 2;
const MAX_WAITING = 50;

/**
 * Makes the check of sign-ins. Wrong passwords are limited: of a browser that the person has signed in with before by that
 * browser alone, so that strangers cannot lock the person out; of others by address and by person. An attempt is counted
 * before its password is checked, because a check is expensive on purpose, and taken back when the password is right.
 */
export function createCheckSignIn(
  database: Database,
  clock: Clock,
  isPassword: typeof checkPassword = checkPassword,
): (attempt: SignInAttempt) => Promise<Person> {
  const create = (limit: number) => createWindowLimiter({ limit, windowMs: MINUTE_MS });
  const [addresses, people, devices] = [create(PER_ADDRESS), create(PER_PERSON), create(PER_DEVICE)];
  const checks = new PQueue({ concurrency: CHECKS_AT_ONCE });
  return async ({ email, password, address, cookies, signIn }) => {
    const person = await findPersonByEmail(database, email);
    const device = signIn ?? (person === null ? null : readKnownDevice(cookies, person));
    const counts: readonly (readonly [WindowLimiter, string])[] =
      device === null
        ? [
            [addresses, address],
            [people, hashToken(email.toLowerCase())],
          ]
        : [[devices, device]];
    const takeBack = count(counts, clock.now());
    if (checks.size >= (device === null ? MAX_WAITING : 2 * MAX_WAITING)) {
      takeBack();
      throw tooMany(1);
    }
    const isRight = await checks.add(() => isPassword(password, person?.passwordHash ?? null), {
      priority: device === null ? 0 : 1,
    });
    if (person === null || person.disabledAtMs !== null || isRight !== true)
      throw new DeskError(401, 'WRONG_CREDENTIALS', 'E-mail address or password is wrong.');
    takeBack();
    return person;
  };
}

/** Makes the limit of visits to the OpenID provider, by address. */
export function createOidcLimit(clock: Clock): (address: string) => void {
  const limiter = createWindowLimiter({ limit: OIDC_PER_ADDRESS, windowMs: MINUTE_MS });
  return (address) => {
    const verdict = limiter.use(address, clock.now());
    if (!verdict.allowed) throw tooMany(verdict.retryAfterSeconds);
  };
}

/** Counts an attempt everywhere or nowhere; the returned function takes it back. */
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
