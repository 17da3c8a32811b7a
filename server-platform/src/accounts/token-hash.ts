import { createHash, timingSafeEqual } from 'node:crypto';

/** The stored form of a token: its SHA-256, hexadecimal. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
export function isSameHash(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'hex'), Buffer.from(right, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The last four characters, to distinguish tokens in a list. */
export function hintOfToken(token: string): string {
  return token.slice(-4);
}
