import type { Service } from '@natter/sdk';

/** The host of a service, with `{region}` in place of the region's name, and the regions it is in. Source: C-1. */
export interface ServiceHost {
  readonly pattern: string;
  readonly regions: readonly string[];
}

/** The hosts of a deployment; null: any host serves both services. */
export type ServiceHosts = Readonly<Record<Service, ServiceHost | null>>;

/**
 * What the host of a request stands for: a service in a region; a host of ours that names no region (C-2); or any other
 * name, such as an address, which serves requests without a region.
 */
export type HostReading =
  | { readonly kind: 'service'; readonly regions: Readonly<Partial<Record<Service, string>>> }
  | { readonly kind: 'no_region'; readonly example: string }
  | { readonly kind: 'other' };

const PLACE = '{region}';
const SERVICES: readonly Service[] = ['runtime', 'monitoring'];

/** Reads a `Host` header, port or not, in any case. */
export function readHost(hosts: ServiceHosts, header: string | null): HostReading {
  const name = (header ?? '').toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  const regions: Partial<Record<Service, string>> = {};
  let nameless: ServiceHost | null = null;
  for (const service of SERVICES) {
    const host = hosts[service];
    if (host === null) continue;
    const region = host.regions.find(
      (candidate) => host.pattern.replace(PLACE, candidate).toLowerCase() === name,
    );
    if (region !== undefined) regions[service] = region;
    else if (isNameless(host, name)) nameless = host;
  }
  if (Object.keys(regions).length > 0) return { kind: 'service', regions };
  if (nameless === null) return { kind: 'other' };
  return { kind: 'no_region', example: exampleOf(nameless) };
}

/** A name of the host with a region. */
export function exampleOf({ pattern, regions }: ServiceHost): string {
  return pattern.replace(PLACE, regions[0] ?? PLACE);
}

/** The pattern without its region, or with an invalid label in its place. */
function isNameless({ pattern }: ServiceHost, name: string): boolean {
  const [before = '', after = ''] = pattern.toLowerCase().split(PLACE);
  if (name === `${before}${after.replace(/^\./, '')}`) return true;
  return (
    name.startsWith(before) &&
    name.endsWith(after) &&
    /^[a-z0-9-]+$/.test(name.slice(before.length, name.length - after.length))
  );
}

/** The region a call of a service is in: the host's, else the only one the deployment is in; null: none is known. */
export function regionOf(hosts: ServiceHosts, service: Service, reading: HostReading): string | null {
  const named = reading.kind === 'service' ? reading.regions[service] : undefined;
  const { regions = [] } = hosts[service] ?? {};
  return named ?? (regions.length === 1 ? (regions[0] ?? null) : null);
}
