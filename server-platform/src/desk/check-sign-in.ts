import PQueue from 'p-queue';
import { hashToken } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { createWindowLimiter } from '../http/index.ts';
import type { DeskServer } from './desk-call.ts';
import { DeskError } from './desk-error.ts';
import { checkPassword } from './password.ts';
import { findPersonByEmail } from './people.ts';

const MINUTE_MS = 60_000;
const PER_ADDRESS = 20;
const PER_PERSON = 10;
// Each takes 32 MiB for a moment.
const CHECKS_AT_ONCE = 2;
const MAX_WAITING = 50;

/**
 * Makes the check of sign-ins. Attempts are counted before their password is looked at, by address and by person, because a
 * check is expensive on purpose.
 */
export function createCheckSignIn(database: Database, clock: Clock): DeskServer['checkSignIn'] {
  const addresses = createWindowLimiter({ limit: PER_ADDRESS, windowMs: MINUTE_MS });
  const people = createWindowLimiter({ limit: PER_PERSON, windowMs: MINUTE_MS });
  const checks = new PQueue({ concurrency: CHECKS_AT_ONCE });
  return async (address, email, password) => {
    const nowMs = clock.now();
    const byAddress = addresses.use(address, nowMs);
    const verdict = byAddress.allowed ? people.use(hashToken(email.toLowerCase()), nowMs) : byAddress;
    if (!verdict.allowed || checks.size >= MAX_WAITING) {
      const seconds = verdict.allowed ? 1 : verdict.retryAfterSeconds;
      throw new DeskError(429, 'TOO_MANY', `Too many attempts: try again in ${seconds} s.`, seconds);
    }
    const person = await findPersonByEmail(database, email);
    const isRight = await checks.add(() => checkPassword(password, person?.passwordHash ?? null));
    if (person === null || isRight !== true)
      throw new DeskError(401, 'WRONG_CREDENTIALS', 'E-mail address or password is wrong.');
    return person;
  };
}
