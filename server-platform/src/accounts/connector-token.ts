import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AccountError } from './account-error.ts';

// Recognisable, so that a leaked token can be found by a secret scanner.
const PREFIX = 'nct_';
const RANDOM_BYTES = 32;
// A token given in a file is as guessable as its author made it; anything shorter is a mistake.
const MIN_GIVEN_LENGTH = 20;
const GIVEN = /^[\x21-\x7e]{20,256}$/;

/** Makes a connector token of 256 random bits. */
export function newConnectorToken(): string {
  return `${PREFIX}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Refuses a given token that is too short or cannot stand in a header. */
export function checkConnectorToken(token: string): string {
  if (GIVEN.test(token)) return token;
  throw new AccountError(
    'invalid',
    `A connector token must have ${MIN_GIVEN_LENGTH} to 256 printable characters without spaces.`,
  );
}

/** What is stored of a token: its SHA-256, hexadecimal. */
export function hashConnectorToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
export function isSameHash(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'hex'), Buffer.from(right, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The last four characters, to tell tokens apart in a list. */
export function hintOfToken(token: string): string {
  return token.slice(-4);
}
