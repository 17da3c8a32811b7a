import type { Clock } from '../../kit/clock.ts';
import { createWindowLimiter } from '../../kit/http/index.ts';
import { createOutboundClient, type OutboundClient } from '../../kit/http/outbound/index.ts';
import { DeskError } from '../../staff/index.ts';

/** State shared by all site checks of a node. */
export interface SiteChecks {
  readonly client: OutboundClient;
  /** Counts a check of an account. Throws a `DeskError` when there were too many, because each makes requests to a site. */
  count(accountId: string): void;
}

const PER_ACCOUNT = 20;
const WINDOW_MS = 60_000;

/** Makes the client and the limit. `allowsPrivateAddresses`: whether sites of this machine or network are checked too. */
export function createSiteChecks(clock: Clock, allowsPrivateAddresses: boolean): SiteChecks {
  const limiter = createWindowLimiter({ limit: PER_ACCOUNT, windowMs: WINDOW_MS });
  return {
    client: createOutboundClient({ allowsPrivateAddresses, keepsConnections: false }),
    count(accountId) {
      const verdict = limiter.use(accountId, clock.now(), 1);
      if (verdict.allowed) return;
      const seconds = verdict.retryAfterSeconds;
      throw new DeskError(429, 'TOO_MANY', `Too many checks: try again in ${seconds} s.`, seconds);
    },
  };
}
