import type { Clock } from './http/clock.ts';
import type { Family } from './http/operation.ts';
import type { HostOptions } from './http/resolve-hosts.ts';
import type { VendorNames } from './schema/vendor-names.ts';

/** How a client is set up: a region or base URLs, and the keys of the families that are used. */
export interface NatterOptions extends HostOptions {
  /** Key of the runtime service. */
  readonly apiKey?: string | undefined;
  /** Key of the monitoring service: voice, alert rules, alerts, webhook endpoints, conversation by id. */
  readonly monitorApiKey?: string | undefined;
  /** Keys of families that have one of their own, such as `externalEvents` and `numbers`. */
  readonly apiKeys?: Readonly<Partial<Record<Family, string | undefined>>> | undefined;
  /** Token of the connector; for chat. */
  readonly connectorToken?: string | undefined;
  /** Account of all calls that name one; slug or prefixed id. */
  readonly accountId?: string | undefined;
  /** Project of all calls that name one; slug or prefixed id. */
  readonly projectId?: string | undefined;
  /** The runtime's own when absent. */
  readonly fetch?: typeof fetch | undefined;
  /** How long one attempt may take; for streamed lists, how long the silence between two pieces. 60000 when absent. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that may be repeated is sent again: 0 to 10, 2 when absent. */
  readonly retries?: number | undefined;
  /** A longer `Retry-After` is not waited for: the error says how long. 30000 when absent. */
  readonly maxRetryDelayMs?: number | undefined;
  /** Writes the vendor's header and field names, for all families or some. Both are read always. */
  readonly vendorNames?: VendorNames | undefined;
  /** Time and chance; for tests. */
  readonly clock?: Clock | undefined;
}
