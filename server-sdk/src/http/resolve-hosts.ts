import { NatterError } from '../errors/natter-error.ts';
import type { Service } from './operation.ts';

/** Options that determine the hosts of calls. */
export interface HostOptions {
  /** Region of the hosted service, such as `us-1`; with your own base URLs, the region in their hosts. */
  readonly region?: string | undefined;
  /** Base URL of the runtime service. */
  readonly baseUrl?: string | undefined;
  /** Base URL of the monitoring service. */
  readonly monitorBaseUrl?: string | undefined;
  /** Accepts your own hosts without a region. */
  readonly allowHostWithoutRegion?: boolean | undefined;
}

/** Base URL per service, without a trailing slash; null for a service that is not configured. */
export type Hosts = Readonly<Record<Service, string | null>>;

// The runtime and the monitoring service use different names for the same places. Source: C-1, C-3.
const HOSTED_REGIONS: Readonly<Record<string, readonly [runtime: string, monitoring: string]>> = {
  'us-1': ['us-1', 'us'],
  'uk-1': ['uk-1', 'uk'],
  'euw-1': ['euw-1', 'eu'],
  studio: ['studio', 'studio'],
};

/**
 * Determines the two base URLs. The region is always part of the host: a host without one only returns errors (C-2), so
 * it is refused here, except `localhost`, IP addresses and names without a dot. Your own base URLs are never mixed with
 * hosted ones, because keys of one deployment must not be sent to another.
 * @throws NatterError `INVALID_CONFIGURATION`, `REGION_REQUIRED`
 */
export function resolveHosts(options: HostOptions): Hosts {
  const { region, baseUrl, monitorBaseUrl } = options;
  if (baseUrl !== undefined || monitorBaseUrl !== undefined) {
    return {
      runtime: baseUrl === undefined ? null : checkBase('baseUrl', baseUrl, options),
      monitoring: monitorBaseUrl === undefined ? null : checkBase('monitorBaseUrl', monitorBaseUrl, options),
    };
  }
  const names = Object.keys(HOSTED_REGIONS).join(', ');
  if (region === undefined) {
    throw misconfigured(`Neither region nor baseUrl is set: pass region (one of ${names}) or baseUrl`);
  }
  const hosted = Object.entries(HOSTED_REGIONS).find(
    ([name, pair]) => name === region || pair[1] === region,
  )?.[1];
  if (!hosted) throw misconfigured(`region "${region}" is not a hosted one (${names}): pass baseUrl as well`);
  return {
    runtime: `https://api.${hosted[0]}.platform.polyai.app`,
    monitoring: `https://api.${hosted[1]}.poly.ai`,
  };
}

function checkBase(option: string, value: string, options: HostOptions): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw misconfigured(`${option} must be an https URL`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw misconfigured(`${option} must hold no user, query or fragment`);
  }
  const isLocal = isLocalHost(url.hostname);
  if (url.protocol === 'http:' && !isLocal)
    throw misconfigured(`${option} must use https: keys would travel in clear`);
  if (!isLocal && options.allowHostWithoutRegion !== true && !namesRegion(url.hostname, options.region)) {
    throw new NatterError({
      code: 'REGION_REQUIRED',
      text: `${option} ${url.host} names no region`,
      advice:
        'Put the region into the host, as in https://api.us-1.example.com; pass region when it has another name; ' +
        'or set allowHostWithoutRegion when this deployment has no regions.',
    });
  }
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

function namesRegion(hostname: string, region: string | undefined): boolean {
  const known = new Set([...Object.values(HOSTED_REGIONS).flat(), ...(region === undefined ? [] : [region])]);
  return hostname.split('.').some((label) => known.has(label));
}

function isLocalHost(hostname: string): boolean {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(hostname) || hostname.startsWith('[');
  return isAddress || !hostname.includes('.') || hostname.endsWith('.localhost');
}

function misconfigured(text: string): NatterError {
  return new NatterError({ code: 'INVALID_CONFIGURATION', text });
}
