import { defaultVocabulary, type Vocabulary } from 'natter/protocol';
import { listOffers } from '../contact/visitor-hooks.ts';
import type { AdmittedRequest, RouteAnswer } from '../http/admitted-request.ts';
import { authorizeRequest } from '../http/authorize-request.ts';
import { readBody, ticketSchema } from '../http/read-body.ts';
import { requireConnector } from '../http/require-connector.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { chooseVariant } from './choose-variant.ts';
import { openSession } from './open-session.ts';
import type { TicketContents } from './resume-ticket.ts';
import { sessionSchema, startSession } from './start-session.ts';

/** Body of the response to session and resume requests. */
export interface SessionBody {
  readonly session_id: string;
  /** Empty if the proxy relays the socket. */
  readonly access_token: string;
  /** ISO 8601, UTC, by this server's clock. */
  readonly expires_at: string;
  /** The same as a duration, for callers with a wrong clock. */
  readonly expires_in_seconds: number;
  /** Without parameters, which the client adds. Empty if the proxy relays the socket. */
  readonly websocket_url: string;
  /** Where the ticket survives a reload: in a cookie set by `/v1/resume`, or with the caller. */
  readonly resume_by: 'cookie' | 'ticket';
  /** Empty if the cookie contains it. */
  readonly resume_ticket: string;
  /** Further features of this proxy, by name: `contact`, `feedback`. */
  readonly offers: readonly string[];
  /** Opens one socket at `/v1/ws` of this proxy within 30 s, if it relays them. `/v1/relay` issues further ones. */
  readonly relay_ticket?: string;
  /** With `relay_ticket`: the event spelling of the messaging host, whose name is hidden from the caller. Source: V-4. */
  readonly vocabulary?: Vocabulary;
}

const MAX_SESSION_BYTES = 4_096;

/** Answers `POST /v1/session`: starts a session at the platform. Source: messaging.md 3.2. */
export async function handleSession(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const { options, connectors, upstream, websocketUrl, tickets } = proxy;
  const { origin } = admitted;
  const wanted = await readBody(admitted, sessionSchema, MAX_SESSION_BYTES);
  const connector = requireConnector(connectors, wanted.connector);
  const logFields = { route: 'session', connector: wanted.connector } as const;
  await authorizeRequest(options, admitted, logFields);
  const settings = { ...wanted, variantId: await chooseVariant(options, admitted, logFields) };
  const { missingAgent, ...started } = await startSession(upstream, connector, settings, admitted);
  proxy.reach.explore();
  if (missingAgent !== null) proxy.findings.agentMissing(wanted.connector, missingAgent);
  const { body } = await sealSession(
    proxy,
    { ...started, websocketUrl, connector: wanted.connector },
    admitted,
  );
  // Nothing is stored in the browser before the visitor uses the chat: the first resume sets the cookie. An existing
  // cookie belongs to a conversation that the page has abandoned.
  const isStale = (await tickets.read(admitted, wanted.connector, null)) !== null;
  return {
    body,
    cookies: isStale && origin !== null ? [await tickets.cookie.clear(origin, wanted.connector)] : [],
  };
}

/** Answers `POST /v1/resume`: returns the session of a ticket, and renews the ticket. Source: ST-3. */
export async function handleResume(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const asked = await readBody(admitted, ticketSchema);
  const contents = await openSession(proxy, admitted, asked, 'resume');
  const { body, setCookie } = await sealSession(proxy, contents, admitted);
  return setCookie === null ? { body } : { body: { ...body, resume_ticket: '' }, cookies: [setCookie] };
}

/**
 * Handles `POST /v1/logout`: revokes the visitor's tickets and removes the cookies. Does not call the `authorize` hook,
 * because it must work for a visitor who was just logged out of the site.
 */
export async function handleLogout(
  { tickets, chats }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, origin } = admitted;
  const asked = await readBody(admitted, ticketSchema);
  await tickets.revokeGiven(admitted, asked);
  return {
    body: { status: 'logged_out' },
    cookies: tickets.cookie.isPossible(request.headers, origin)
      ? [
          await tickets.cookie.clear(origin, asked.connector),
          await chats.cookie.clear(origin, asked.connector),
        ]
      : [],
  };
}

/** Issues a new ticket for the session. `setCookie` is null if the caller has to store the ticket. */
async function sealSession(
  { options, clock, tickets, relayTickets, websocketUrl }: ProxyContext,
  contents: TicketContents,
  { request, origin }: AdmittedRequest,
): Promise<{ readonly body: SessionBody; readonly setCookie: string | null }> {
  const ticket = await tickets.seal(contents, origin);
  const setCookie = tickets.cookie.isPossible(request.headers, origin)
    ? await tickets.cookie.keep(ticket, origin, contents.connector)
    : null;
  const body: SessionBody = {
    session_id: contents.sessionId,
    access_token: contents.accessToken,
    expires_at: new Date(contents.expiresAtMs).toISOString(),
    expires_in_seconds: Math.max(0, Math.floor((contents.expiresAtMs - clock.now()) / 1_000)),
    websocket_url: contents.websocketUrl,
    resume_by: setCookie === null ? 'ticket' : 'cookie',
    resume_ticket: ticket,
    offers: listOffers(options, contents.storesContact),
    ...(relayTickets !== null && {
      access_token: '',
      websocket_url: '',
      relay_ticket: await relayTickets.seal(contents, origin),
      vocabulary: defaultVocabulary(new URL(websocketUrl).host),
    }),
  };
  return { body, setCookie };
}
