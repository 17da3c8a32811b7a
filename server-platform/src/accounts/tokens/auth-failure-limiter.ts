import type { Clock } from '../../kit/clock.ts';
import { type CreateLimiter, type LimitVerdict, limitersInMemory } from '../../kit/http/index.ts';

/** Counts rejected credentials, so that keys and tokens cannot be guessed quickly. */
export interface AuthFailureLimiter {
  /**
   * Counts a wrong credential. Refuses once the client address, or the credential's prefix from any address, was wrong
   * too often in the last minute. Call it for wrong credentials only, so that valid ones from the same address always
   * pass.
   *
   * @example
   * if (key === null) {
   *   const verdict = await guesses.count(address, text);
   *   throw verdict.allowed ? REST_ERRORS.invalidKey() : REST_ERRORS.rateLimited(verdict.retryAfterSeconds);
   * }
   */
  count(address: string, credential: string): Promise<LimitVerdict>;
  /** Like {@link count}, but by address only, for credentials with a common prefix such as access tokens. */
  countAddress(address: string): Promise<LimitVerdict>;
  /** Number of addresses and prefixes in memory. */
  readonly size: number;
}

const MINUTE_MS = 60_000;
// The kind of the credential and eight random characters: enough to distinguish keys, too few to use one.
const PREFIX_CHARACTERS = 12;
// An entry is a few hundred bytes, and at most one time per allowed failure.
const MAX_KEYS = 10_000;

/** Makes the limiter. Its memory is bounded: the address or prefix that failed longest ago is dropped first. */
export function createAuthFailureLimiter({
  clock,
  limit,
  createLimiter = limitersInMemory(clock),
}: {
  readonly clock: Clock;
  /** Wrong credentials per minute from one address, and with one prefix. */
  readonly limit: number;
  /** Default: in memory. */
  readonly createLimiter?: CreateLimiter;
}): AuthFailureLimiter {
  const create = (name: string) => createLimiter(name, { limit, windowMs: MINUTE_MS, maxKeys: MAX_KEYS });
  const [addresses, prefixes] = [create('guesses of an address'), create('guesses of a beginning')];
  return {
    async count(address, credential) {
      const [byAddress, byPrefix] = await Promise.all([
        addresses.use(address),
        prefixes.use(credential.slice(0, PREFIX_CHARACTERS)),
      ]);
      return byAddress.allowed ? byPrefix : byAddress;
    },
    countAddress: (address) => addresses.use(address),
    get size() {
      return addresses.size + prefixes.size;
    },
  };
}
