import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import { createOutboundClient } from '../../http/index.ts';
import { translateTurns } from './translate-turns.ts';
import type { TranslationEndpoint } from './translation-endpoint.ts';

/** How often due turns are looked for. No request waits for a translation. */
const INTERVAL_MS = 5_000;

/**
 * Translates turns in the background, in projects that have an endpoint. The returned function stops it; what is under
 * way is given up and taken up again by another node, or at the next start.
 */
export function startTranslation(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly endpoints: ReadonlyMap<string, TranslationEndpoint>;
  readonly onFailure: (what: string, error: unknown) => void;
}): () => Promise<void> {
  const { database, clock, endpoints, onFailure } = options;
  if (endpoints.size === 0) return async () => {};
  const client = createOutboundClient({ allowsPrivateAddresses: true });
  const controller = new AbortController();
  const { signal } = controller;
  const report = (error: unknown): void => {
    if (!signal.aborted) onFailure('translate turns', error);
  };
  let running: Promise<unknown> = Promise.resolve();
  let cancel: () => void = () => {};
  const schedule = (): void => {
    cancel = clock.setTimer(() => {
      running = translateTurns({
        database,
        endpoints,
        client,
        nowMs: () => clock.now(),
        signal,
        onFailure: report,
      })
        .catch(report)
        .finally(() => {
          if (!signal.aborted) schedule();
        });
    }, INTERVAL_MS);
  };
  schedule();
  return async () => {
    cancel();
    controller.abort(new Error('The platform is shutting down.'));
    await running;
  };
}
