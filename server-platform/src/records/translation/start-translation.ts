import type { Database } from '../../db/index.ts';
import type { Scheduled, Scheduler } from '../../jobs/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import { translateTurns } from './translate-turns.ts';
import type { TranslationEndpoint } from './translation-endpoint.ts';

/** How often the task looks for due turns. No request waits for a translation. */
const INTERVAL_MS = 5_000;

/**
 * Translates turns in the background, in projects with an endpoint. Each project has its own task, so that a hanging
 * endpoint does not block other projects. Work in progress at the stop is aborted and repeated by another node, or at
 * the next start.
 */
export function startTranslation(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Endpoints by project id. */
  readonly endpoints: ReadonlyMap<string, TranslationEndpoint>;
  readonly onFailure: (what: string, error: unknown) => void;
}): readonly Scheduled[] {
  const { database, clock, scheduler, endpoints, onFailure } = options;
  const client = createOutboundClient({ allowsPrivateAddresses: true });
  const what = 'translate turns';
  return [...endpoints].map(([projectId, endpoint]) =>
    scheduler.every({
      what,
      everyMs: INTERVAL_MS,
      run: (signal) =>
        translateTurns({
          ...{ database, projectId, endpoint, client, signal },
          nowMs: () => clock.now(),
          onFailure: (error) => onFailure(what, error),
        }),
    }),
  );
}
