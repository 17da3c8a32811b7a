import type { ChatDiagnosis, ConnectionStatus, FailureReason } from '../client/index.ts';
import { fault, ok, type Verdict, warn } from './verdict.ts';

type SocketDiagnosis = NonNullable<ChatDiagnosis['socket']>;

/** What to do where the client has given up. */
const GIVEN_UP: Readonly<Record<FailureReason, string>> = {
  reconnect_budget_spent: 'the socket did not come back. Check the network and the platform, then try again.',
  session_expired: 'the conversation is over. Begin another one.',
  connector_rejected:
    "the platform refuses the connector. Check its token and its registered host in the proxy's settings.",
  origin_not_allowed: 'the proxy does not let this page in. See "origin".',
  host_not_registered: 'the platform does not let this page in. See "host".',
  service_unavailable:
    'there was no session to be had. Check that data-connector names a connector of the proxy, and read the proxy’s log.',
};

const SETTING =
  'NATTER_WEBSOCKET_URL (websocketUrl) of the token proxy; without it the address is made of NATTER_UPSTREAM_URL';

const isLoopback = (host: string): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(host);

/** Why there is no socket, as far as the token proxy can tell; null for no more than the client says. */
function explain(
  { url, handshake, reason, fault: cause }: SocketDiagnosis,
  pageHost: string,
): Verdict | null {
  const { hostname } = new URL(url);
  if (isLoopback(hostname) && !isLoopback(pageHost))
    return fault(`The socket's address ${url} is one of the visitor's own device. Correct ${SETTING}.`);
  if (reason === 'origin') return fault(`${url} answers, and does not let this page in. See "host".`);
  if (handshake === 'unreachable' || handshake === 'unknown')
    return fault(
      `The socket's address ${url} cannot be reached, neither by this page nor by the token proxy${cause && ` (${cause})`}. Correct ${SETTING}.`,
    );
  if (handshake === 'accepted')
    return fault(
      `${url} takes sockets from the token proxy and not from this browser. Allow it in connect-src and in the network; or, if visitors cannot reach that address, correct ${SETTING}.`,
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
          'No socket gets through, so the chat goes on in turns. Allow the platform’s wss: address in connect-src and in the network.',
        )
      : ok('The socket is open.');
  if (connection.status === 'idle' || connection.status === 'closed')
    return ok('Not connected. Open the chat and ask again to see more.');
  const why = socket && explain(socket, pageHost);
  if (why) return why;
  return connection.status === 'failed'
    ? fault(`The client has given up: ${GIVEN_UP[connection.reason]}`)
    : warn(`The client is ${connection.status}.`);
}

/** Whether the platform takes sockets of this page. */
export function judgeHost(
  connection: ConnectionStatus,
  socket: ChatDiagnosis['socket'],
  connector = 'default',
): Verdict {
  const isRefused = connection.status === 'failed' && connection.reason === 'host_not_registered';
  if (isRefused || socket?.reason === 'origin')
    return fault(
      `The platform refuses the sockets of this page: ${location.hostname} is not among the hosts of the connector "${connector}". Add it to "hosts" of that connector at the platform.`,
    );
  if (connection.status === 'open' || socket?.handshake === 'accepted')
    return ok(`The platform takes sockets of ${location.hostname}.`);
  return connection.status === 'idle' || connection.status === 'closed'
    ? ok('Open the chat and ask again to see whether the platform knows this page.')
    : warn('Unknown while there is no socket.');
}

export const judgeAgent = (missingAgent: string | null): Verdict =>
  missingAgent === null
    ? ok('The platform has told of no agent that is missing.')
    : fault(
        `Nobody answers: the project's agent "${missingAgent}" does not exist. Correct "agent" of the project at the platform, or add an agent of that name to its configuration.`,
      );
