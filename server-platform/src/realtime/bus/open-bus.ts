import type { Clock } from '../../kit/clock.ts';
import type { BusLink } from './bus-link.ts';
import { createInProcessBus } from './in-process-bus.ts';
import { NO_PEERS } from './peers.ts';
import { PostgresLink } from './postgres-link.ts';
import { type SharedBus, startSharedBus } from './shared-bus.ts';

/** Files for a connection to NATS. */
export interface BusFiles {
  /** PEM file of the CAs that sign the servers' certificates. Default: the CAs that Node trusts. */
  readonly caFile?: string;
  /** PEM files of this client's certificate and key, if the servers require one. */
  readonly certificateFile?: string;
  readonly keyFile?: string;
  /** Credentials file (`.creds`), or a file with an nkey seed. */
  readonly credentialsFile?: string;
}

/** Options of {@link openBus}. */
export interface OpenBusOptions {
  /** `postgres://…`, `nats://…` or `tls://…`; null: this process is the only node. */
  readonly url: string | null;
  readonly files?: BusFiles;
  /** Identifies this deployment on a shared server: `[a-z0-9]`, at most 40 characters. */
  readonly space: string;
  readonly node: string;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Derives a deployment's space name from the bus key that its nodes share. */
export function deriveBusSpace(key: Uint8Array): string {
  return Buffer.from(key).toString('hex').slice(0, 32);
}

/** Opens the bus. An unreachable bus does not prevent the start: nodes read the log until it is available. */
export async function openBus(options: OpenBusOptions): Promise<SharedBus> {
  const { url } = options;
  if (url === null) return { bus: createInProcessBus(), peers: NO_PEERS };
  return await startSharedBus({ ...options, link: await createLink(url, options) });
}

async function createLink(url: string, { space, node, files = {} }: OpenBusOptions): Promise<BusLink> {
  if (/^postgres(ql)?:/.test(url)) return new PostgresLink({ databaseUrl: url, channel: `natter_${space}` });
  // Loaded on demand, so that only deployments with NATS load it.
  const { createNatsLink } = await import('./nats-link.ts');
  return createNatsLink({ url, files, node, subject: `natter.${space}` });
}
