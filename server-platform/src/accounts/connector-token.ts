import { randomBytes } from 'node:crypto';
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
