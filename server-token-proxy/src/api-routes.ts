import { defaultVocabulary } from 'natter/protocol';
import type { AdmittedRequest, Authorize, RouteAnswer } from './admitted-request.ts';
import type { Upstream } from './call-upstream.ts';
import { callVisitorData } from './call-visitor-data.ts';
import { type ChatRoutes, createChatCookie, createChatRoutes } from './chat-routes.ts';
import { createContactRoute, type HookFailed } from './contact-route.ts';
import type { AuthorizeContext, TokenProxyOptions } from './options.ts';
import {
  parseContextRequest,
  parseFeedbackRequest,
  parseProbeRequest,
  parseSessionRequest,
  parseTicketRequest,
  type TicketRequest,
} from './parse-request.ts';
import { probeSession } from './probe-session.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { raceSignal } from './race-signal.ts';
import { readJsonRequest } from './read-json-request.ts';
import { CORRELATION_HEADER, VENDOR_CORRELATION_HEADER } from './respond.ts';
import { createResumeCookie } from './resume-cookie.ts';
import { createTicketOffice, type TicketContents } from './resume-ticket.ts';
import { createMemoryRevocations } from './revocations.ts';
import { createSearchRoute } from './search-route.ts';
import type { SetupFindings } from './setup-findings.ts';
import { createSocketReach } from './socket-reach.ts';
import { startSession, type UpstreamAddress } from './start-session.ts';
import { submitContext } from './submit-context.ts';
import { createUploadRoute } from './upload-route.ts';
import { deriveWebsocketUrl, trimBaseUrl } from './upstream-url.ts';
import { VERSION } from './version.ts';
import { callHook, listOffers } from './visitor-hooks.ts';

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

/** The routes around a session. All throw `ProxyFailure`, or the signal's reason. */
export interface ApiRoutes extends ChatRoutes {
  session(admitted: AdmittedRequest): Promise<RouteAnswer>;
  resume(admitted: AdmittedRequest): Promise<RouteAnswer>;
  logout(admitted: AdmittedRequest): Promise<RouteAnswer>;
  probe(admitted: AdmittedRequest): Promise<RouteAnswer>;
  context(admitted: AdmittedRequest): Promise<RouteAnswer>;
  upload(admitted: AdmittedRequest): Promise<RouteAnswer>;
  feedback(admitted: AdmittedRequest): Promise<RouteAnswer>;
  data(admitted: AdmittedRequest): Promise<RouteAnswer>;
  erase(admitted: AdmittedRequest): Promise<RouteAnswer>;
  contact(admitted: AdmittedRequest): Promise<RouteAnswer>;
  search(admitted: AdmittedRequest): Promise<RouteAnswer>;
}

const MAX_SESSION_BYTES = 4_096;
// A ticket holds an access token, sealed and written in base64 once more: 8 kB of token, the most that is accepted from
// upstream, fit in here. 4 kB would refuse tickets of a platform whose tokens are of ordinary size.
const MAX_RESUME_BYTES = 16_384;
// A ticket, and a token of 16 kB (section 15); a longer token is for the platform to refuse, up to twice of that.
const MAX_CONTEXT_BYTES = MAX_RESUME_BYTES + 32_768;
// A ticket, and a reason of at most 1,000 characters, each of them at most 6 bytes of JSON in either half.
const MAX_WORDS_BYTES = MAX_RESUME_BYTES + 32_768;
// HB-3: how long the platform keeps a session nobody talks in.
const DEFAULT_TICKET_LIFETIME_SECONDS = 600;

function refuseTicket(): ProxyFailure {
  // One text for every reason: which check failed helps nobody but a forger.
  return new ProxyFailure(
    'RESUME_TICKET_INVALID',
    'This resume ticket is no longer valid. Drop it and start a new session.',
  );
}

const readResumeBody = ({ request, budget }: AdmittedRequest): Promise<unknown> =>
  readJsonRequest(request, MAX_RESUME_BYTES, budget.signal);

/** Binds the routes to their settings. The options have been checked. */
export function createApiRoutes(
  options: TokenProxyOptions,
  upstream: Upstream,
  isPlatformUp: () => Promise<boolean>,
  admitFileOf: (sessionId: string) => Promise<void>,
  findings: SetupFindings,
  onHookFailed: HookFailed,
): ApiRoutes {
  const baseUrl = trimBaseUrl(options.upstreamUrl);
  const websocketUrl = options.websocketUrl ?? deriveWebsocketUrl(options.upstreamUrl);
  const { attemptTimeoutMs } = upstream;
  const reach = createSocketReach(
    options.handshake,
    websocketUrl,
    attemptTimeoutMs,
    findings.socketUnreachable,
  );
  const connectors = new Map(Object.entries(options.connectors));
  const address: UpstreamAddress = {
    baseUrl,
    correlationHeader:
      defaultVocabulary(new URL(baseUrl).hostname) === 'poly'
        ? VENDOR_CORRELATION_HEADER
        : CORRELATION_HEADER,
    userAgent: `natter-token-proxy/${VERSION}`,
  };
  const lifetimeSeconds = options.ticketLifetimeSeconds ?? DEFAULT_TICKET_LIFETIME_SECONDS;
  const nowMs = (): number => upstream.clock.now();
  const office = createTicketOffice({ keys: options.ticketKeys, lifetimeSeconds, nowMs });
  const basePath = options.basePath ?? '';
  const cookie = createResumeCookie(basePath, lifetimeSeconds);
  const chatCookie = createChatCookie(basePath);
  const revocations = options.revocations ?? createMemoryRevocations(nowMs);

  const authorize: Authorize = async (admitted, facts) => {
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

  const readTicket = async (
    { request, origin }: AdmittedRequest,
    connector: string,
    given: string | null,
  ): Promise<string | null> =>
    given ??
    (cookie.isPossible(request.headers, origin) ? cookie.read(request.headers, origin, connector) : null);

  /** The pair of a ticket, or of the cookie. Throws `RESUME_TICKET_INVALID`. */
  const openTicket = async (admitted: AdmittedRequest, asked: TicketRequest): Promise<TicketContents> => {
    const ticket = await readTicket(admitted, asked.connector, asked.ticket);
    const contents = ticket === null ? null : await office.open(ticket, admitted.origin);
    if (contents === null || !connectors.has(contents.connector)) throw refuseTicket();
    if (await revocations.has(contents.sessionId)) throw refuseTicket();
    return contents;
  };

  /** Seals the pair anew and says where it is to be kept; `setCookie` where that is a cookie. */
  const seal = async (
    contents: TicketContents,
    { request, origin }: AdmittedRequest,
  ): Promise<{ readonly body: SessionBody; readonly setCookie: string | null }> => {
    const ticket = await office.seal(contents, origin);
    const setCookie = cookie.isPossible(request.headers, origin)
      ? await cookie.keep(ticket, origin, contents.connector)
      : null;
    const body: SessionBody = {
      session_id: contents.sessionId,
      access_token: contents.accessToken,
      expires_at: new Date(contents.expiresAtMs).toISOString(),
      expires_in_seconds: Math.max(0, Math.floor((contents.expiresAtMs - nowMs()) / 1_000)),
      websocket_url: contents.websocketUrl,
      resume_by: setCookie === null ? 'ticket' : 'cookie',
      resume_ticket: ticket,
      offers: listOffers(options, contents.storesContact),
    };
    return { body, setCookie };
  };

  return {
    ...createChatRoutes(options, upstream, authorize, chatCookie),
    upload: createUploadRoute(options.uploads, openTicket, authorize, admitFileOf),
    search: createSearchRoute(options.onSearch, connectors, authorize),
    contact: createContactRoute({ options, upstream, address, openTicket, authorize, onHookFailed }),

    async session(admitted) {
      const { request, budget, origin } = admitted;
      const wanted = parseSessionRequest(await readJsonRequest(request, MAX_SESSION_BYTES, budget.signal));
      const connector = connectors.get(wanted.connector);
      if (connector === undefined) {
        throw new ProxyFailure(
          'INVALID_REQUEST',
          `The field "connector" names ${JSON.stringify(wanted.connector)}, which is not configured at this proxy.`,
        );
      }
      await authorize(admitted, { route: 'session', connector: wanted.connector });
      const { missingAgent, ...started } = await startSession(upstream, address, connector, wanted, admitted);
      reach.explore();
      if (missingAgent !== null) findings.agentMissing(wanted.connector, missingAgent);
      const { body } = await seal({ ...started, websocketUrl, connector: wanted.connector }, admitted);
      // Nothing is kept in the browser before the visitor uses the chat: the first resume sets the cookie. One that is there
      // belongs to a conversation that the page has given up.
      const isStale = (await readTicket(admitted, wanted.connector, null)) !== null;
      return {
        body,
        cookies: isStale && origin !== null ? [await cookie.clear(origin, wanted.connector)] : [],
      };
    },

    async resume(admitted) {
      const { request, budget } = admitted;
      const asked = parseTicketRequest(await readJsonRequest(request, MAX_RESUME_BYTES, budget.signal));
      const contents = await openTicket(admitted, asked);
      await authorize(admitted, { route: 'resume', connector: contents.connector });
      const { body, setCookie } = await seal(contents, admitted);
      return setCookie === null
        ? { body, cookies: [] }
        : { body: { ...body, resume_ticket: '' }, cookies: [setCookie] };
    },

    // Without a word of `authorize`: whoever has just been logged out of the site has to get through.
    async logout(admitted) {
      const { request, budget, origin } = admitted;
      const asked = parseTicketRequest(await readJsonRequest(request, MAX_RESUME_BYTES, budget.signal));
      for (const given of new Set([asked.ticket, null])) {
        const ticket = await readTicket(admitted, asked.connector, given);
        const contents = ticket === null ? null : await office.open(ticket, origin);
        if (contents !== null) await revocations.add(contents.sessionId, lifetimeSeconds);
      }
      return {
        body: { status: 'logged_out' },
        cookies: cookie.isPossible(request.headers, origin)
          ? [await cookie.clear(origin, asked.connector), await chatCookie.clear(origin, asked.connector)]
          : [],
      };
    },

    async context(admitted) {
      const { request, budget } = admitted;
      const asked = parseContextRequest(await readJsonRequest(request, MAX_CONTEXT_BYTES, budget.signal));
      const contents = await openTicket(admitted, asked);
      await authorize(admitted, { route: 'context', connector: contents.connector });
      await submitContext(upstream, address, contents, asked.token, admitted);
      return { body: { status: 'accepted' }, cookies: [] };
    },

    async feedback(admitted) {
      const { request, budget } = admitted;
      const asked = parseFeedbackRequest(await readJsonRequest(request, MAX_WORDS_BYTES, budget.signal));
      const contents = await openTicket(admitted, asked);
      await authorize(admitted, { route: 'feedback', connector: contents.connector });
      await callHook(options.onFeedback, asked.feedback, contents, admitted);
      return { body: { status: 'accepted' }, cookies: [] };
    },

    async data(admitted) {
      const asked = parseTicketRequest(await readResumeBody(admitted));
      const contents = await openTicket(admitted, asked);
      await authorize(admitted, { route: 'data', connector: contents.connector });
      return { body: await callVisitorData(upstream, address, contents, 'data', admitted), cookies: [] };
    },

    async erase(admitted) {
      const { request, origin } = admitted;
      const asked = parseTicketRequest(await readResumeBody(admitted));
      const contents = await openTicket(admitted, asked);
      await authorize(admitted, { route: 'data', connector: contents.connector });
      await callVisitorData(upstream, address, contents, 'erase', admitted);
      await revocations.add(contents.sessionId, lifetimeSeconds);
      const isKept = cookie.isPossible(request.headers, origin);
      return {
        body: { status: 'erased' },
        cookies: isKept ? [await cookie.clear(origin, asked.connector)] : [],
      };
    },

    async probe({ request, budget, origin }) {
      const pair = parseProbeRequest(await readJsonRequest(request, MAX_RESUME_BYTES, budget.signal));
      const probe = { reach, websocketUrl, isPlatformUp, attemptTimeoutMs };
      const answer = await probeSession(probe, pair, origin, budget);
      const connector = connectors.get(pair.connector);
      if (answer.reason === 'origin' && origin !== null && connector !== undefined)
        findings.originRefused(pair.connector, origin);
      // A platform that is away as a whole is no matter of this address.
      if (answer.handshake === 'unknown' && answer.fault !== undefined)
        findings.socketUnreachable(answer.fault);
      const hasChat = connector?.chat !== undefined;
      return {
        body: answer.handshake === 'accepted' ? { ...answer, has_chat: hasChat } : answer,
        cookies: [],
      };
    },
  };
}
