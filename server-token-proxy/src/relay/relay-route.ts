import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { readBody, ticketSchema } from '../http/read-body.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { openSession } from '../sessions/open-session.ts';
import { reportHealth } from '../upstream/health.ts';
import { RELAY_TICKET_SECONDS, type RelayTickets } from './relay-tickets.ts';

const NOT_RELAYED =
  'This token proxy relays no sockets. Open the one at websocket_url of the session answer.';

/** Throws `NOT_FOUND` at a proxy whose visitors open their sockets at the messaging host. */
function requireRelay({ relayTickets }: Pick<ProxyContext, 'relayTickets'>): RelayTickets {
  if (relayTickets === null) throw new ProxyFailure('NOT_FOUND', NOT_RELAYED);
  return relayTickets;
}

/**
 * Answers `POST /v1/relay`: a ticket for the next socket of a session. It sets no cookie and renews nothing, so that it leaves
 * nothing in the browser of a visitor who has not used the chat. Throws `UPSTREAM_UNAVAILABLE` while the platform is not ready:
 * browsers print the address of every socket that could not be opened.
 */
export async function handleRelay(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const relayTickets = requireRelay(proxy);
  const asked = await readBody(admitted, ticketSchema);
  const contents = await openSession(proxy, admitted, asked, 'resume');
  await reportHealth(proxy);
  const ticket = await relayTickets.seal(contents, admitted.origin);
  return { body: { relay_ticket: ticket, expires_in_seconds: RELAY_TICKET_SECONDS } };
}

/** Answers `GET /v1/ws` without a handshake. Throws. */
export function refusePlainRequest(proxy: ProxyContext): never {
  requireRelay(proxy);
  throw new ProxyFailure('UPGRADE_REQUIRED', 'This is the address of a WebSocket. Send a handshake.');
}
