import type { Connector } from '../options.ts';
import { ProxyFailure } from '../proxy-failure.ts';

/** Returns the connector with that name. Throws `INVALID_REQUEST` if this proxy has none. */
export function requireConnector(connectors: ReadonlyMap<string, Connector>, name: string): Connector {
  const connector = connectors.get(name);
  if (connector !== undefined) return connector;
  throw new ProxyFailure(
    'INVALID_REQUEST',
    `Unknown connector ${JSON.stringify(name)} in the field "connector". Configure it at this proxy.`,
  );
}
