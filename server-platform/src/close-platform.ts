import type { Bus } from './bus/index.ts';
import type { Database } from './db/index.ts';
import type { MetricsServer } from './http/start-metrics-server.ts';
import type { RunningMessaging } from './messaging/start-messaging.ts';
import type { RestFamily } from './rest/rest-services.ts';
import { runShutdown } from './shutdown.ts';

/** The parts of a running platform, in the order in which they are closed. */
export interface PlatformParts {
  readonly messaging: Pick<RunningMessaging, 'close'>;
  /** Null: the platform has no port for metrics. */
  readonly metricsServer: MetricsServer | null;
  readonly families: readonly RestFamily[];
  readonly bus: Pick<Bus, 'close'>;
  readonly database: Pick<Database, 'close'>;
  readonly onFailure: (what: string, error: unknown) => void;
}

// What the last steps of a shutdown may take. The bus gives itself a second to say goodbye and one to disconnect.
const METRICS_MS = 500;
const FAMILY_MS = 1_000;
const BUS_MS = 2_500;
const DATABASE_MS = 500;

/** Closes every part, also when another one fails or does not answer. */
export async function closePlatform({
  messaging,
  metricsServer,
  families,
  bus,
  database,
  onFailure,
}: PlatformParts): Promise<void> {
  await messaging.close();
  const closeFamily = async ({ close }: RestFamily): Promise<void> => await close?.();
  await Promise.all(
    families.map((family) =>
      runShutdown(
        [{ what: 'end background work', patienceMs: FAMILY_MS, run: () => closeFamily(family) }],
        onFailure,
      ),
    ),
  );
  await runShutdown(
    [
      { what: 'close the metrics port', patienceMs: METRICS_MS, run: () => metricsServer?.close() },
      { what: 'leave the other nodes', patienceMs: BUS_MS, run: () => bus.close() },
      {
        what: 'close the database',
        patienceMs: 2 * DATABASE_MS,
        run: () => database.close({ patienceMs: DATABASE_MS }),
      },
    ],
    onFailure,
  );
}
