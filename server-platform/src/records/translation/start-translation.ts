import type { Database } from '../../db/index.ts';
import type { Scheduled, Scheduler } from '../../jobs/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import { translateTurns } from './translate-turns.ts';
import type { TranslationEndpoint } from './translation-endpoint.ts';

/** How often due turns are looked for. No request waits for a translation. */
const INTERVAL_MS = 5_000;

/**
 * Translates turns in the background, in projects that have an endpoint. Each project has a separate task: one whose
 * endpoint hangs holds up no other. Work under way at the stop is aborted and repeated by another node, or at the
 * next start.
 */
export function startTranslation(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Who translates, by the project's id. */
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
