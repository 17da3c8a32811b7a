import type { ChatDiagnosis, ConnectionStatus, FailureReason } from '../../client/index.ts';
import { fault, ok, type Verdict, warn } from './verdict.ts';

type SocketDiagnosis = NonNullable<ChatDiagnosis['socket']>;

/** Finding and remedy for each reason for which the client stopped trying. */
const GIVEN_UP: Readonly<Record<FailureReason, string>> = {
  reconnect_budget_spent:
    'the socket could not reconnect. Check the network and the platform, then try again.',
  session_expired: 'the conversation has expired. Start a new one.',
  connector_rejected:
    "the platform rejects the connector. Check its token and registered host in the proxy's settings.",
  origin_not_allowed: 'the proxy rejects this page. See "origin".',
  host_not_registered: 'the platform rejects this page. See "host".',
  service_unavailable:
    'no session could be started. Check that data-connector names a connector of the proxy, and read the proxy’s log.',
};

const SETTING =
  'NATTER_WEBSOCKET_URL (websocketUrl) of the token proxy; if unset, the address comes from NATTER_UPSTREAM_URL';

const isLoopback = (host: string): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(host);

/** Explains a missing socket by the token proxy's diagnosis; `null` if the proxy knows no more than the client. */
function explain(
  { url, handshake, reason, fault: cause }: SocketDiagnosis,
  pageHost: string,
): Verdict | null {
  const { hostname } = new URL(url);
  if (isLoopback(hostname) && !isLoopback(pageHost))
    return fault(`The socket address ${url} points to the visitor's own device. Correct ${SETTING}.`);
  if (reason === 'origin') return fault(`${url} responds but rejects this page. See "host".`);
  if (handshake === 'unreachable' || handshake === 'unknown')
    return fault(
      `Neither this page nor the token proxy can reach the socket address ${url}${cause && ` (${cause})`}. Correct ${SETTING}.`,
    );
  if (handshake === 'accepted')
    return fault(
      `${url} accepts sockets from the token proxy but not from this browser. Allow it in connect-src and in the network. If visitors cannot reach that address, correct ${SETTING}.`,
    );
  return null;
}

export function judgeSocket(
  connection: ConnectionStatus,
  socket: ChatDiagnosis['socket'],
  pageHost: string = location.hostname,
): Verdict {
  if (connection.status === 'open')
    return connection.isTurnBased
      ? warn(
          'No socket gets through, so the chat uses plain requests and live agents are not available. Allow the platform’s wss: address in connect-src and in the network.',
        )
      : ok('The socket is open.');
  if (connection.status === 'idle' || connection.status === 'closed')
    return ok('Not connected. Open the chat and run the doctor again to see more.');
  const why = socket && explain(socket, pageHost);
  if (why) return why;
  return connection.status === 'failed'
    ? fault(`The client has given up: ${GIVEN_UP[connection.reason]}`)
    : warn(`The client is ${connection.status}.`);
}

/** Judges whether the platform accepts sockets from this page. */
export function judgeHost(
  connection: ConnectionStatus,
  socket: ChatDiagnosis['socket'],
  connector = 'default',
): Verdict {
  const isRefused = connection.status === 'failed' && connection.reason === 'host_not_registered';
  if (isRefused || socket?.reason === 'origin')
    return fault(
      `The platform rejects sockets of this page: ${location.hostname} is not a host of the connector "${connector}". Add it to "hosts" of that connector at the platform.`,
    );
  if (connection.status === 'open' || socket?.handshake === 'accepted')
    return ok(`The platform accepts sockets of ${location.hostname}.`);
  return connection.status === 'idle' || connection.status === 'closed'
    ? ok('Open the chat and run the doctor again to check whether the platform accepts this page.')
    : warn('Unknown until a socket is open.');
}

export const judgeAgent = (missingAgent: string | null): Verdict =>
  missingAgent === null
    ? ok('The platform reported no missing agent.')
    : fault(
        `No answers: the project's agent "${missingAgent}" does not exist. Correct "agent" of the project at the platform, or add an agent of that name to its configuration.`,
      );
