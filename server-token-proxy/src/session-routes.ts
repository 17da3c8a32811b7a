import type { AdmittedRequest, RouteAnswer } from './admitted-request.ts';
import { authorizeRequest } from './authorize-request.ts';
import { parseSessionRequest, parseTicketRequest } from './parse-request.ts';
import type { ProxyContext } from './proxy-context.ts';
import { MAX_TICKET_BODY_BYTES, readJsonRequest } from './read-json-request.ts';
import { requireConnector } from './require-connector.ts';
import type { TicketContents } from './resume-ticket.ts';
import { startSession } from './start-session.ts';
import { listOffers } from './visitor-hooks.ts';

/** Body of a session or resume answer. */
export interface SessionBody {
  readonly session_id: string;
  readonly access_token: string;
  /** ISO 8601, UTC, by this server's clock. */
  readonly expires_at: string;
  /** The same as a span, for callers whose clock may be wrong. */
  readonly expires_in_seconds: number;
  /** Without parameters: the client adds its own. */
  readonly websocket_url: string;
  /** Where the ticket lives across a reload: in a cookie that `/v1/resume` sets, or with the caller. */
  readonly resume_by: 'cookie' | 'ticket';
  /** Empty when the cookie holds it. */
  readonly resume_ticket: string;
  /** What this proxy takes besides, by name: `contact`, `feedback`. */
  readonly offers: readonly string[];
}

const MAX_SESSION_BYTES = 4_096;

/** Answers `POST /v1/session`: starts a session at the platform. Source: messaging.md 3.2. */
export async function handleSession(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const { options, connectors, upstream, address, websocketUrl, tickets } = proxy;
  const { request, budget, origin } = admitted;
  const wanted = parseSessionRequest(await readJsonRequest(request, MAX_SESSION_BYTES, budget.signal));
  const connector = requireConnector(connectors, wanted.connector);
  await authorizeRequest(options, admitted, { route: 'session', connector: wanted.connector });
  const { missingAgent, ...started } = await startSession(upstream, address, connector, wanted, admitted);
  proxy.reach.explore();
  if (missingAgent !== null) proxy.findings.agentMissing(wanted.connector, missingAgent);
  const { body } = await sealSession(
    proxy,
    { ...started, websocketUrl, connector: wanted.connector },
    admitted,
  );
  // Nothing is kept in the browser before the visitor uses the chat: the first resume sets the cookie. One that is there
  // belongs to a conversation that the page has given up.
  const isStale = (await tickets.read(admitted, wanted.connector, null)) !== null;
  return {
    body,
    cookies: isStale && origin !== null ? [await tickets.cookie.clear(origin, wanted.connector)] : [],
  };
}

/** Answers `POST /v1/resume`: returns the session of a ticket, and renews the ticket. Source: ST-3. */
export async function handleResume(proxy: ProxyContext, admitted: AdmittedRequest): Promise<RouteAnswer> {
  const { request, budget } = admitted;
  const asked = parseTicketRequest(await readJsonRequest(request, MAX_TICKET_BODY_BYTES, budget.signal));
  const contents = await proxy.tickets.open(admitted, asked);
  await authorizeRequest(proxy.options, admitted, { route: 'resume', connector: contents.connector });
  const { body, setCookie } = await sealSession(proxy, contents, admitted);
  return setCookie === null
    ? { body, cookies: [] }
    : { body: { ...body, resume_ticket: '' }, cookies: [setCookie] };
}

/**
 * Answers `POST /v1/logout`: revokes the visitor's tickets and removes the cookies. The `authorize` hook is not called,
 * because a visitor who has just been logged out of the site has to get through.
 */
export async function handleLogout(
  { tickets, chats }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, budget, origin } = admitted;
  const asked = parseTicketRequest(await readJsonRequest(request, MAX_TICKET_BODY_BYTES, budget.signal));
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

/** Seals the session in a new ticket. `setCookie` is null where the caller has to keep the ticket itself. */
async function sealSession(
  { options, clock, tickets }: ProxyContext,
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
  };
  return { body, setCookie };
}
