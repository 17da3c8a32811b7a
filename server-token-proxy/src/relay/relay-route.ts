import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { readBody, ticketSchema } from '../http/read-body.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { openSession } from '../sessions/open-session.ts';
import { reportHealth } from '../upstream/health.ts';
import { RELAY_TICKET_SECONDS, type RelayTickets } from './relay-tickets.ts';

const NOT_RELAYED =
  'This token proxy relays no sockets. Open the one at websocket_url of the session answer.';

/** Throws `NOT_FOUND` if visitors open their sockets at the messaging host. */
function requireRelay({ relayTickets }: Pick<ProxyContext, 'relayTickets'>): RelayTickets {
  if (relayTickets === null) throw new ProxyFailure('NOT_FOUND', NOT_RELAYED);
  return relayTickets;
}

/**
 * Handles `POST /v1/relay`: returns a ticket for the session's next socket. It sets no cookie and renews nothing, so
 * that the browser of a visitor who has not used the chat stores nothing. Throws `UPSTREAM_UNAVAILABLE` while the
 * platform is not ready, because browsers log every socket that could not be opened.
 */
export async function handleRelay(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const relayTickets = requireRelay(proxy);
  const asked = await readBody(admitted, ticketSchema);
  const contents = await openSession(proxy, admitted, asked, 'resume');
  await reportHealth(proxy);
  const ticket = await relayTickets.seal(contents, admitted.origin);
  return { body: { relay_ticket: ticket, expires_in_seconds: RELAY_TICKET_SECONDS } };
}

/** Refuses `GET /v1/ws` without a handshake. */
export function refusePlainRequest(proxy: ProxyContext): never {
  requireRelay(proxy);
  throw new ProxyFailure('UPGRADE_REQUIRED', 'This is the address of a WebSocket. Send a handshake.');
}
