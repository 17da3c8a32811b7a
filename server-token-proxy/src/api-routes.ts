import { defaultVocabulary } from 'natter/protocol';
import type { CallBudget, Upstream } from './call-upstream.ts';
import type { AuthorizeContext, TokenProxyOptions } from './options.ts';
import { parseResumeRequest, parseSessionRequest } from './parse-request.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { raceSignal } from './race-signal.ts';
import { readJsonRequest } from './read-json-request.ts';
import { CORRELATION_HEADER, VENDOR_CORRELATION_HEADER } from './respond.ts';
import { createTicketOffice, type TicketContents } from './resume-ticket.ts';
import { startSession, type UpstreamAddress } from './start-session.ts';
import { deriveWebsocketUrl, trimBaseUrl } from './upstream-url.ts';
import { VERSION } from './version.ts';

/** Body of a session or resume answer. */
export interface SessionBody {
  readonly session_id: string;
  readonly access_token: string;
  /** ISO 8601, UTC. */
  readonly expires_at: string;
  /** Without parameters: the client adds its own. */
  readonly websocket_url: string;
  readonly resume_ticket: string;
}

/** A request that has passed the origin check and the limits. */
export interface AdmittedRequest {
  readonly request: Request;
  readonly origin: string | null;
  readonly correlationId: string;
  readonly budget: CallBudget;
}

/** The two routes that hand out sessions. Both throw `ProxyFailure`, or the signal's reason. */
export interface ApiRoutes {
  session(admitted: AdmittedRequest): Promise<SessionBody>;
  resume(admitted: AdmittedRequest): Promise<SessionBody>;
}

const MAX_SESSION_BYTES = 4_096;
// A ticket holds an access token, sealed and written in base64 once more: 8 kB of token, the most that is accepted from
// upstream, fit in here. 4 kB would refuse tickets of a platform whose tokens are of ordinary size.
const MAX_RESUME_BYTES = 16_384;
// HB-3: how long the platform keeps a session nobody talks in.
const DEFAULT_TICKET_LIFETIME_SECONDS = 600;

function refuseTicket(): ProxyFailure {
  // One text for every reason: which check failed helps nobody but a forger.
  return new ProxyFailure(
    'RESUME_TICKET_INVALID',
    'This resume ticket is no longer valid. Drop it and start a new session.',
  );
}

/** Binds the routes to their settings. The options have been checked. */
export function createApiRoutes(options: TokenProxyOptions, upstream: Upstream): ApiRoutes {
  const baseUrl = trimBaseUrl(options.upstreamUrl);
  const websocketUrl = options.websocketUrl ?? deriveWebsocketUrl(options.upstreamUrl);
  const connectors = new Map(Object.entries(options.connectors));
  const address: UpstreamAddress = {
    baseUrl,
    correlationHeader:
      defaultVocabulary(new URL(baseUrl).hostname) === 'poly'
        ? VENDOR_CORRELATION_HEADER
        : CORRELATION_HEADER,
    userAgent: `natter-token-proxy/${VERSION}`,
  };
  const office = createTicketOffice({
    keys: options.ticketKeys,
    lifetimeSeconds: options.ticketLifetimeSeconds ?? DEFAULT_TICKET_LIFETIME_SECONDS,
    nowMs: () => upstream.clock.now(),
  });

  const authorize = async (
    admitted: AdmittedRequest,
    facts: Pick<AuthorizeContext, 'route' | 'connector'>,
  ): Promise<void> => {
    if (options.authorize === undefined) return;
    const { signal } = admitted.budget;
    const context: AuthorizeContext = { ...facts, origin: admitted.origin, signal };
    // In a promise from the start, so that a hook that throws and one that rejects are the same.
    const decision = Promise.resolve().then(() => options.authorize?.(admitted.request, context));
    if ((await raceSignal(decision, signal)) === true) return;
    throw new ProxyFailure(
      'ORIGIN_NOT_ALLOWED',
      "The site's own check refused this request. Sign in again or reload the page.",
      { logFields: { refusedBy: 'authorize' } },
    );
  };

  const answer = async (contents: TicketContents, origin: string | null): Promise<SessionBody> => ({
    session_id: contents.sessionId,
    access_token: contents.accessToken,
    expires_at: new Date(contents.expiresAtMs).toISOString(),
    websocket_url: contents.websocketUrl,
    resume_ticket: await office.seal(contents, origin),
  });

  return {
    async session(admitted) {
      const { request, correlationId, budget, origin } = admitted;
      const wanted = parseSessionRequest(await readJsonRequest(request, MAX_SESSION_BYTES, budget.signal));
      const connector = connectors.get(wanted.connector);
      if (connector === undefined) {
        throw new ProxyFailure(
          'INVALID_REQUEST',
          `The field "connector" names ${JSON.stringify(wanted.connector)}, which is not configured at this proxy.`,
        );
      }
      await authorize(admitted, { route: 'session', connector: wanted.connector });
      const started = await startSession(upstream, address, connector, wanted, correlationId, budget);
      return answer({ ...started, websocketUrl, connector: wanted.connector }, origin);
    },

    async resume(admitted) {
      const { request, budget, origin } = admitted;
      const ticket = parseResumeRequest(await readJsonRequest(request, MAX_RESUME_BYTES, budget.signal));
      const contents = await office.open(ticket, origin);
      if (contents === null || !connectors.has(contents.connector)) throw refuseTicket();
      await authorize(admitted, { route: 'resume', connector: contents.connector });
      return answer(contents, origin);
    },
  };
}
