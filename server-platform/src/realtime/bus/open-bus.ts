import type { Clock } from '../../kit/clock.ts';
import type { BusLink } from './bus-link.ts';
import { createInProcessBus } from './in-process-bus.ts';
import { NO_PEERS } from './peers.ts';
import { PostgresLink } from './postgres-link.ts';
import { type SharedBus, startSharedBus } from './shared-bus.ts';

/** Files for a connection to NATS. */
export interface BusFiles {
  /** PEM of the authorities that sign the servers' certificates. Default: those that Node trusts. */
  readonly caFile?: string;
  /** PEM of this client's certificate and key, where the servers ask for one. */
  readonly certificateFile?: string;
  readonly keyFile?: string;
  /** Credentials file (`.creds`), or a file with the seed of an nkey. */
  readonly credentialsFile?: string;
}

/** Which bus to open. */
export interface OpenBusOptions {
  /** `postgres://…`, `nats://…` or `tls://…`; null: this process is the only node. */
  readonly url: string | null;
  readonly files?: BusFiles;
  /** What the nodes of this deployment have in common and no other has: `[a-z0-9]`, at most 40 characters. */
  readonly space: string;
  readonly node: string;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The space of a deployment, from the key that its nodes derive for the bus. */
export function nameBusSpace(key: Uint8Array): string {
  return Buffer.from(key).toString('hex').slice(0, 32);
}

/** Opens the bus. One that cannot be reached is no reason not to start: the nodes read the log until it is there. */
export async function openBus(options: OpenBusOptions): Promise<SharedBus> {
  const { url } = options;
  if (url === null) return { bus: createInProcessBus(), peers: NO_PEERS };
  return await startSharedBus({ ...options, link: await createLink(url, options) });
}

async function createLink(url: string, { space, node, files = {} }: OpenBusOptions): Promise<BusLink> {
  if (/^postgres(ql)?:/.test(url)) return new PostgresLink({ databaseUrl: url, channel: `natter_${space}` });
  // Loaded here: only who has NATS needs it.
  const { createNatsLink } = await import('./nats-link.ts');
  return createNatsLink({ url, files, node, subject: `natter.${space}` });
}
