import { createFairShares, type RunInShare } from '../../kit/http/index.ts';
import { REST_ERRORS } from './rest-error.ts';

// Per account. PostgreSQL has ten connections, and a search of a large project takes a second.
const SHARE = { atOnce: 3, maxWaiting: 100 } as const;

/** Limits each account's share of expensive operations: searches, peaks, erasures. */
export function createSearchShares(): RunInShare {
  return createFairShares({ ...SHARE, createRefusal: () => REST_ERRORS.rateLimited(1) });
}
