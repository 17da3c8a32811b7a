import { lookup as lookupName } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '@natter/sdk';
import { buildConnector } from 'undici';
import { OutboundError } from './outbound-error.ts';

/** All addresses of a host name, in the order in which they are to be tried. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** How connections are made. */
export interface CheckedConnectorOptions {
  readonly allowsPrivateAddresses: boolean;
  readonly resolve: ResolveHost;
  /** For the name, the connection and TLS together. */
  readonly connectTimeoutMs: number;
  /** Whether a later connection may resume the TLS session of an earlier one. */
  readonly resumesTls: boolean;
}

/** Asks the system's resolver. */
export const resolveBySystem: ResolveHost = async (hostname) =>
  (await lookupName(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Connects to the very addresses that it checked: Node gets them from the lookup of this connection, so a second answer
 * of the resolver cannot lead elsewhere. Several addresses are tried by turns, as Node does it.
 */
export function createCheckedConnector(options: CheckedConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: createCheckedLookup(options),
    timeout: options.connectTimeoutMs,
    autoSelectFamily: true,
    allowH2: false,
    ...(options.resumesTls ? {} : { maxCachedSessions: 0 }),
  });
  return (target, callback) => {
    // Node asks no lookup about a host that is an address.
    const refusal =
      isIP(target.hostname) === 0 ? null : findRefusal(target.hostname, [target.hostname], options);
    if (refusal === null) connect(target, callback);
    else callback(refusal, null);
  };
}

function createCheckedLookup(options: CheckedConnectorOptions): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = (addresses: readonly string[]): void => {
      const refusal = findRefusal(hostname, addresses, options);
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (refusal !== null || first === undefined) callback(refusal, '');
      else if (all === true) callback(null, found);
      else callback(null, first.address, first.family);
    };
    options.resolve(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, ''));
  };
}

function findRefusal(
  hostname: string,
  addresses: readonly string[],
  { allowsPrivateAddresses }: CheckedConnectorOptions,
): OutboundError | null {
  if (addresses.length === 0)
    return new OutboundError('unreachable', `${hostname} has no address. Check the name.`);
  // A name with any private address is refused as a whole, because its owner points into the network.
  if (allowsPrivateAddresses || addresses.every(isPublicAddress)) return null;
  return new OutboundError(
    'address_refused',
    `${hostname} has an address that is not public. Correct the URL, or allow private addresses.`,
  );
}
