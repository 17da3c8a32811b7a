import { lookup as lookupName, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '@natter/sdk';
import { OutboundError } from './outbound-error.ts';

/** Resolves a host name to all its addresses, in the order of trial. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Rules for allowed addresses. */
export interface AddressRules {
  readonly allowsPrivateAddresses: boolean;
  readonly resolve: ResolveHost;
}

/** Asks the system's resolver. */
export const resolveBySystem: ResolveHost = async (hostname) =>
  (await lookupName(hostname, { all: true, verbatim: true })).map(({ address }) => address);

const NAME_SERVER_TIMEOUT_MS = 3_000;
const NAME_SERVER_TRIES = 2;

/**
 * Makes a resolver that queries name servers directly, by default the system's. The system's own resolver has two
 * threads for all lookups of the process, so one webhook whose name servers never respond would block all others. It
 * does not read a hosts file.
 */
export function createNameServerResolver(servers: readonly string[] | null = null): ResolveHost {
  const resolver = new Resolver({ timeout: NAME_SERVER_TIMEOUT_MS, tries: NAME_SERVER_TRIES });
  if (servers !== null) resolver.setServers(servers);
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}

/**
 * Resolves a name for a connection, and checks its addresses. Node connects to exactly these addresses, so a second
 * response of the resolver cannot lead elsewhere. Several addresses are tried in turn.
 */
export function createCheckedLookup(rules: AddressRules): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = (addresses: readonly string[]): void => {
      const refusal = findRefusal(hostname, addresses, rules);
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (refusal !== null || first === undefined) callback(refusal, '');
      else if (all === true) callback(null, found);
      else callback(null, first.address, first.family);
    };
    rules.resolve(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, ''));
  };
}

/** Throws when a host that is an address is not allowed, because Node only looks up names. */
export function checkAddress(hostname: string, rules: AddressRules): void {
  const refusal = isIP(hostname) === 0 ? null : findRefusal(hostname, [hostname], rules);
  if (refusal !== null) throw refusal;
}

function findRefusal(
  hostname: string,
  addresses: readonly string[],
  { allowsPrivateAddresses }: AddressRules,
): OutboundError | null {
  if (addresses.length === 0)
    return new OutboundError('unreachable', `${hostname} has no address. Check the name.`);
  // A name with any private address is refused completely, because its owner points into the network.
  if (allowsPrivateAddresses || addresses.every(isPublicAddress)) return null;
  return new OutboundError(
    'address_refused',
    `${hostname} has an address that is not public. Correct the URL, or allow private addresses.`,
  );
}
