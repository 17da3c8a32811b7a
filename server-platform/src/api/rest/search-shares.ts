import { createFairShares, type RunInShare } from '../../kit/http/index.ts';
import { REST_ERRORS } from './rest-error.ts';

// Of one account. PostgreSQL has ten connections, and a search of a large project takes a second.
const SHARE = { atOnce: 3, maxWaiting: 100 } as const;

/** Makes the shares of the accounts in what looks at much that is stored: searches, peaks, erasures. */
export function createSearchShares(): RunInShare {
  return createFairShares({ ...SHARE, createRefusal: () => REST_ERRORS.rateLimited(1) });
}
