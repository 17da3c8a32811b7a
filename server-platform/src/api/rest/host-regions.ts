import type { Service } from '@natter/sdk';

/** A service's host, with `{region}` in place of the region's name, and its regions. Source: C-1. */
export interface ServiceHost {
  readonly pattern: string;
  readonly regions: readonly string[];
}

/** The hosts of a deployment; null: any host serves both services. */
export type ServiceHosts = Readonly<Record<Service, ServiceHost | null>>;

/**
 * The meaning of a request's host: a service in a region; one of our hosts without a region (C-2); or any other name,
 * such as an address, which serves requests without a region.
 */
export type HostReading =
  | { readonly kind: 'service'; readonly regions: Readonly<Partial<Record<Service, string>>> }
  | { readonly kind: 'no_region'; readonly example: string }
  | { readonly kind: 'other' };

const PLACE = '{region}';
const SERVICES: readonly Service[] = ['runtime', 'monitoring'];

/** Parses a `Host` header, with or without port, case-insensitively. */
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

/** An example host name with a region. */
export function exampleOf({ pattern, regions }: ServiceHost): string {
  return pattern.replace(PLACE, regions[0] ?? PLACE);
}

/** Whether a name is the pattern without its region, or with an invalid label in its place. */
function isNameless({ pattern }: ServiceHost, name: string): boolean {
  const [before = '', after = ''] = pattern.toLowerCase().split(PLACE);
  if (name === `${before}${after.replace(/^\./, '')}`) return true;
  return (
    name.startsWith(before) &&
    name.endsWith(after) &&
    /^[a-z0-9-]+$/.test(name.slice(before.length, name.length - after.length))
  );
}

/** The region of a call: the host's, or else the deployment's only one; null: unknown. */
export function regionOf(hosts: ServiceHosts, service: Service, reading: HostReading): string | null {
  const named = reading.kind === 'service' ? reading.regions[service] : undefined;
  const { regions = [] } = hosts[service] ?? {};
  return named ?? (regions.length === 1 ? (regions[0] ?? null) : null);
}
