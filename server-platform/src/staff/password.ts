import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

// 32 MiB and some 50 ms. Stored with each hash, so that it can be raised.
const COST: Cost = { N: 32_768, r: 8, p: 1 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const MAX_MEMORY_BYTES = 64 * 1_024 * 1_024;

/** Fewest characters of a password. */
export const MIN_PASSWORD_CHARACTERS = 12;

/** The stored form of a password: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether a password matches a hash. Takes as long without a hash, so that the time reveals no account. */
export async function checkPassword(password: string, hash: string | null): Promise<boolean> {
  const [kind, N, r, p, salt, key] = (hash ?? '').split('$');
  if (kind !== 'scrypt' || salt === undefined || key === undefined) {
    await derive(password, Buffer.alloc(SALT_BYTES), COST);
    return false;
  }
  const known = Buffer.from(key, 'base64url');
  const cost: Cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return derived.length === known.length && timingSafeEqual(derived, known);
}

/** An initial password that the person should replace. */
export function createPassword(): string {
  return randomBytes(12).toString('base64url');
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize('NFKC'),
      salt,
      KEY_BYTES,
      { ...cost, maxmem: MAX_MEMORY_BYTES },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    );
  });
}
