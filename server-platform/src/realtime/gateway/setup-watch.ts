import type { Clock } from '../../kit/clock.ts';
import { type MessagingConnector, missingAgentOf } from '../conversation/index.ts';
import type { MessagingObserver } from '../messaging-context.ts';

/** Reports misconfigured setups to the operator: one line names the value and the setting to correct. */
export interface SetupWatch {
  /** A page or its token proxy sent a host that the connector does not have. */
  hostRefused(connector: MessagingConnector, header: 'Origin' | 'X-Host', value: string): void;
  /** A session was created; `host` is the name under which its creator reached this node. */
  sessionCreated(connector: MessagingConnector, host: string | null, isAgentMissing: boolean): void;
  /** A handshake with a token of this connector arrived. */
  handshakeArrived(connectorId: string): void;
  /** Cancels the timers. */
  close(): void;
}

/** Clients open their socket right after creating the session. This allows for two slow attempts. */
const SOCKET_EXPECTED_MS = 20_000;
/** A refused page retries every few seconds. */
const AGAIN_AFTER_MS = 60_000;
/** Hosts and origins are external input. */
const MAX_VALUE = 200;

/** Watches one node. Reports each finding at most once a minute per connector. */
export function createSetupWatch(
  clock: Clock,
  observer: Pick<MessagingObserver, 'misconfigured'>,
): SetupWatch {
  const reportedAtMs = new Map<string, number>();
  /** By connector: cancels the wait for its first handshake; null once one arrived or the wait was reported. */
  const waits = new Map<string, (() => void) | null>();

  const report = (key: string, about: Readonly<Record<string, string>>, message: string): void => {
    const nowMs = clock.now();
    if (nowMs - (reportedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < AGAIN_AFTER_MS) return;
    reportedAtMs.set(key, nowMs);
    observer.misconfigured?.(about, message);
  };

  const expectSocket = (connectorId: string, host: string): void => {
    if (waits.has(connectorId)) return;
    const cancel = clock.setTimer(() => {
      waits.set(connectorId, null);
      observer.misconfigured?.(
        { connectorId, host, setting: 'NATTER_WEBSOCKET_URL of the token proxy' },
        `no socket has arrived for the sessions created at ${host}. Check NATTER_WEBSOCKET_URL of the token proxy, or the address derived from its NATTER_UPSTREAM_URL`,
      );
    }, SOCKET_EXPECTED_MS);
    waits.set(connectorId, cancel);
  };

  return {
    hostRefused({ id: connectorId, hosts }, header, received) {
      const value = received.slice(0, MAX_VALUE);
      const registered = hosts.map((host) => host.value).join(', ');
      report(
        `${header} ${connectorId}`,
        { connectorId, header, value, hosts: registered, setting: 'hosts of the connector' },
        header === 'Origin'
          ? `refused sockets from a host that the connector lacks: ${value}. Add it to the hosts of the connector (${registered})`
          : `refused an access token for a host that the connector lacks: ${value}. Add it to the hosts of the connector (${registered})`,
      );
    },
    sessionCreated(connector, host, isAgentMissing) {
      const { id: connectorId } = connector;
      expectSocket(connectorId, host?.slice(0, MAX_VALUE) ?? 'an unknown host');
      if (!isAgentMissing) return;
      const agent = missingAgentOf(connector);
      report(
        `agent ${connectorId}`,
        { connectorId, projectId: connector.projectId, agent, setting: 'agent of the project' },
        `unknown agent "${agent}" in the project, so no agent answers visitors of this connector. Correct the agent of the project, or add it to the configuration`,
      );
    },
    handshakeArrived(connectorId) {
      waits.get(connectorId)?.();
      waits.set(connectorId, null);
    },
    close() {
      for (const cancel of waits.values()) cancel?.();
      waits.clear();
    },
  };
}
