import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import { createOutboundClient } from '../../http/index.ts';
import type { Scheduled, Scheduler } from '../../sweep/index.ts';
import { translateTurns } from './translate-turns.ts';
import type { TranslationEndpoint } from './translation-endpoint.ts';

/** How often due turns are looked for. No request waits for a translation. */
const INTERVAL_MS = 5_000;

/**
 * Translates turns in the background, in projects that have an endpoint; null when none has. What is under way at the
 * stop is given up and taken up again by another node, or at the next start.
 */
export function startTranslation(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly endpoints: ReadonlyMap<string, TranslationEndpoint>;
  readonly onFailure: (what: string, error: unknown) => void;
}): Scheduled | null {
  const { database, clock, scheduler, endpoints, onFailure } = options;
  if (endpoints.size === 0) return null;
  const client = createOutboundClient({ allowsPrivateAddresses: true });
  const what = 'translate turns';
  return scheduler.every({
    what,
    everyMs: INTERVAL_MS,
    run: (signal) =>
      translateTurns({
        database,
        endpoints,
        client,
        nowMs: () => clock.now(),
        signal,
        onFailure: (error) => onFailure(what, error),
      }),
  });
}
