import { isLoopbackHost, isPrivateHost } from '@natter/sdk';
import type { Clock } from '../kit/clock.ts';
import type { Log, LogFields } from '../kit/log.ts';
import type { TokenProxyOptions } from '../options.ts';
import { deriveWebsocketUrl } from './upstream-url.ts';

/** Reports setup problems to the operator: one line names the value and the setting to correct. */
export interface SetupFindings {
  /** Browsers probably cannot open a socket. `fault` is a network error code, or a status. */
  socketUnreachable(fault: string): void;
  /** The platform accepts a session's socket, but not from pages of this origin. */
  originRefused(connector: string, origin: string): void;
  /** The connector's project names an agent that the platform does not have. */
  agentMissing(connector: string, agent: string): void;
}

// Visitors retry every few seconds meanwhile.
const AGAIN_AFTER_MS = 60_000;

/** Orders hosts by reach: loopback, private networks, everything else. */
function reachOf(hostname: string): 0 | 1 | 2 {
  if (isLoopbackHost(hostname)) return 0;
  const isLocalName = /^[^.:[]+$|\.(?:local|internal|lan|home\.arpa)$/.test(hostname);
  return isLocalName || isPrivateHost(hostname) ? 1 : 2;
}

/** The setting that the socket's address comes from. */
const settingOf = ({ websocketUrl }: TokenProxyOptions): string =>
  websocketUrl === undefined
    ? 'NATTER_WEBSOCKET_URL (websocketUrl), which is not set: the address is derived from NATTER_UPSTREAM_URL (upstreamUrl)'
    : 'NATTER_WEBSOCKET_URL (websocketUrl)';

/** Warns if visitors of a public page would get an address that is only reachable from this machine or its network. */
export function warnOfPrivateAddress(options: TokenProxyOptions, log: Log): void {
  const websocketUrl = options.websocketUrl ?? deriveWebsocketUrl(options.upstreamUrl);
  const own = reachOf(new URL(websocketUrl).hostname);
  const origin = options.allowedOrigins.find(
    (each) => URL.canParse(each) && reachOf(new URL(each).hostname) > own,
  );
  if (origin === undefined) return;
  const place = own === 0 ? 'this machine' : 'this network';
  log.warn(
    { websocketUrl, origin, setting: settingOf(options) },
    `socket address out of reach for visitors of ${origin}: only ${place} can reach ${websocketUrl}`,
  );
}

/** Makes the findings of one proxy. Each is logged at most once a minute per connector and origin. */
export function createSetupFindings(
  options: TokenProxyOptions,
  log: Log,
  clock: Clock,
  isRelay: boolean,
): SetupFindings {
  const websocketUrl = options.websocketUrl ?? deriveWebsocketUrl(options.upstreamUrl);
  // Connectors and origins come from the options, so there are few keys.
  const reportedAtMs = new Map<string, number>();
  const reportOnce = (key: string, fields: LogFields, message: string): void => {
    const nowMs = clock.now();
    if (nowMs - (reportedAtMs.get(key) ?? -Infinity) < AGAIN_AFTER_MS) return;
    reportedAtMs.set(key, nowMs);
    log.warn(fields, message);
  };
  return {
    socketUnreachable: (fault) =>
      reportOnce(
        'socket',
        { websocketUrl, fault, setting: settingOf(options) },
        `cannot reach the socket address for ${isRelay ? 'the relay' : 'browsers'}: ${websocketUrl} (${fault})`,
      ),
    originRefused: (connector, origin) =>
      reportOnce(
        `origin ${connector} ${origin}`,
        { connector, origin, setting: 'hosts of the connector at the platform' },
        `the platform refuses sockets from ${origin}. Add this host to the hosts of the connector "${connector}"`,
      ),
    agentMissing: (connector, agent) =>
      reportOnce(
        `agent ${connector}`,
        { connector, agent, setting: 'agent of the project at the platform' },
        `no agent answers visitors of the connector "${connector}": the platform has no agent "${agent}"`,
      ),
  };
}
