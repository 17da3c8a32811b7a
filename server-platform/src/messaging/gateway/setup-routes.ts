import { Hono } from 'hono';
import { matchesOrigin, SETUP_ERRORS, type SetupError } from 'natter/protocol';
import type { AccessTokenClaims, AccessTokens, GuessLimiter } from '../../auth/index.ts';
import type { Clock } from '../../clock.ts';
import { isDatabaseError } from '../../db/index.ts';
import {
  type CreateLimiter,
  commonHeaders,
  createWindowLimiter,
  type JsonBody,
  type LimitVerdict,
  limitersInMemory,
  type PlatformEnv,
  type Refusal,
  readJsonBody,
  refusalResponse,
  streamPieces,
  takeTurns,
} from '../../http/index.ts';
import {
  admitsHost,
  type ConnectorDirectory,
  findMatchingHost,
  type MessagingConnector,
  missingAgentOf,
} from '../connector.ts';
import type { MessagingLimits } from '../messaging-limits.ts';
import { readContactWords } from './contact-words.ts';
import { readSessionRequest, type SessionRequest } from './session-request.ts';
import type { SetupWatch } from './setup-watch.ts';
import type { VisitorData } from './visitor-data.ts';

/** What submitting a context token came to. Source: 3.6. */
export type ContextOutcome = 'stored' | 'not_enabled' | 'too_large' | 'invalid';

/** What the routes need from the rest of the platform. */
export interface SetupRoutesOptions {
  readonly connectors: ConnectorDirectory;
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  readonly limits: MessagingLimits;
  /** Counts wrong connector and access tokens. */
  readonly guesses: GuessLimiter;
  /** Makes the limit of sessions for each address. Default: in memory. */
  readonly createLimiter?: CreateLimiter;
  /** Creates a session with its SESSION_START and gives its id. Source: SES-1, SES-2. */
  readonly createSession: (
    request: SessionRequest,
    owner: { readonly identity: string; readonly connector: MessagingConnector; readonly host: string },
  ) => Promise<string>;
  /** A session that still takes input; null when it is unknown, ended or expired. */
  readonly findSession: (sessionId: string) => Promise<{ readonly identity: string } | null>;
  readonly submitContext: (sessionId: string, token: string) => Promise<ContextOutcome>;
  /** A session in any state. */
  readonly findStoredSession: (sessionId: string) => Promise<{ readonly identity: string } | null>;
  /** What visitors may do with what is stored of them; left out: the routes of 3.7 and 3.8 are not there. */
  readonly visitorData?: VisitorData;
  readonly watch: Pick<SetupWatch, 'hostRefused' | 'sessionCreated'>;
  /** Whether the platform has the agent that the connector's project names. */
  readonly hasAgent: (connector: MessagingConnector) => boolean;
  readonly onFailure: (what: string, error: unknown, correlationId: string) => void;
}

type Answer = { readonly body: unknown; readonly status: 200 | 204 };
type Outcome = Answer | { readonly pieces: AsyncGenerator<string, void, undefined> } | SetupRefusal;
type SetupRefusal = Pick<Refusal, 'error' | 'retryAfterSeconds'>;
type Authorized = { readonly claims: AccessTokenClaims; readonly connector: MessagingConnector };

const MINUTE_MS = 60_000;
// `chunked`, so that no server waits for the whole body to count it.
const STREAMED_JSON = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };

// Ten thousand rows are written in well under this, once the database keeps up again.
const RETRY_AFTER_OVERLOAD_SECONDS = 5;

/** Rows 5 to 7 of 3.6. */
const CONTEXT_REFUSALS: Readonly<Record<Exclude<ContextOutcome, 'stored'>, SetupError>> = {
  not_enabled: SETUP_ERRORS.contextNotEnabled,
  too_large: SETUP_ERRORS.contextTokenTooLarge,
  invalid: SETUP_ERRORS.invalidContextToken,
};

/** The POST endpoints of messaging.md section 3, below `/api/v1`. Every check is in the order of its table. */
export function createSetupRoutes(options: SetupRoutesOptions): Hono<PlatformEnv> {
  const { connectors, tokens, clock, limits, guesses } = options;
  const perMinute = (limit: number) => createWindowLimiter({ limit, windowMs: MINUTE_MS });
  const tokenLimiter = perMinute(limits.accessTokensPerMinute);
  const sessionLimiter = (options.createLimiter ?? limitersInMemory(clock))('sessions of an address', {
    limit: limits.sessionsPerMinute,
    windowMs: MINUTE_MS,
  });
  const contextLimiter = perMinute(limits.contextSubmissionsPerMinute);
  const dataLimiter = perMinute(limits.contextSubmissionsPerMinute);
  // A call is several statements, each piece of its answer some 100 kB: of forty at once everybody would notice.
  const inTurn = takeTurns();

  /** Source: 3.2. */
  async function mintAccessToken(request: Request, address: string): Promise<Outcome> {
    const connectorToken = request.headers.get('x-token')?.trim() ?? '';
    const xHost = request.headers.get('x-host')?.trim() ?? '';
    const body = await readJsonBody(request, limits.maxBodyBytes);
    if (body.kind === 'too_large') return refuse(SETUP_ERRORS.payloadTooLarge);
    if (connectorToken === '' || xHost === '') return refuse(SETUP_ERRORS.missingAuthHeaders);
    if (body.kind === 'malformed') return refuse(SETUP_ERRORS.invalidBody);
    const connector = await connectors.findByToken(connectorToken);
    if (connector === null)
      return refuseGuess(SETUP_ERRORS.connectorNotFound, await guesses.count(address, connectorToken));
    if (connector.hosts.length === 0) return refuse(SETUP_ERRORS.connectorHostMissing);
    const host = findMatchingHost(connector.hosts, xHost);
    const origin = request.headers.get('origin');
    if (host === null || !matchesOrigin(connector.hosts, origin, connector.enforceOrigin)) {
      if (host === null) options.watch.hostRefused(connector, 'X-Host', xHost);
      else options.watch.hostRefused(connector, 'Origin', origin ?? '');
      return refuse(SETUP_ERRORS.connectorHostMismatch);
    }
    const verdict = tokenLimiter.use(`${connector.id} ${address}`, clock.now());
    if (!verdict.allowed) return limited(verdict);
    const { token, expiresInSeconds } = await tokens.mint({ connectorId: connector.id, host });
    return {
      status: 200,
      body: { access_token: token, expires_in: expiresInSeconds, token_type: 'Bearer' },
    };
  }

  /** Rows 1 to 3 of 3.4, shared with 3.6. */
  async function authorize(request: Request, address: string): Promise<Authorized | SetupRefusal> {
    const header = request.headers.get('authorization');
    if (header === null) return refuse(SETUP_ERRORS.missingAccessToken);
    const token = /^bearer +(\S+) *$/i.exec(header)?.[1];
    if (token === undefined) return refuse(SETUP_ERRORS.missingAuthHeaders);
    const claims = await tokens.verify(token);
    if (claims === null) {
      const isGuess = !(await tokens.isExpired(token));
      return isGuess
        ? refuseGuess(SETUP_ERRORS.invalidAccessToken, await guesses.countAddress(address))
        : refuse(SETUP_ERRORS.invalidAccessToken);
    }
    const connector = await connectors.findById(claims.connectorId);
    return !admitsHost(connector, claims.host)
      ? refuse(SETUP_ERRORS.invalidAccessToken)
      : { claims, connector };
  }

  /** Source: 3.4. */
  async function createSession(request: Request, address: string): Promise<Outcome> {
    const body = await readJsonBody(request, limits.maxBodyBytes);
    if (body.kind === 'too_large') return refuse(SETUP_ERRORS.payloadTooLarge);
    const authorized = await authorize(request, address);
    if ('error' in authorized) return authorized;
    const { claims, connector } = authorized;
    const wanted = readSessionRequest(body);
    if (wanted === null) return refuse(SETUP_ERRORS.invalidBody);
    const verdict = await sessionLimiter.use(address);
    if (!verdict.allowed) return limited(verdict);
    const owner = { identity: claims.identity, connector, host: claims.host };
    const sessionId = await options.createSession(wanted, owner);
    const isAgentMissing = !options.hasAgent(connector);
    options.watch.sessionCreated(connector, request.headers.get('host'), isAgentMissing);
    // For the log of the token proxy; clients ignore it.
    const missing = isAgentMissing && { missing_agent: missingAgentOf(connector) };
    const offers = options.visitorData?.offersContact && { offers: ['contact'] };
    return { status: 200, body: { session_id: sessionId, ...missing, ...offers } };
  }

  /** Source: 3.6. */
  async function submitContext(request: Request, address: string, sessionId: string): Promise<Outcome> {
    const body = await readJsonBody(request, limits.maxBodyBytes);
    if (body.kind === 'too_large') return refuse(SETUP_ERRORS.payloadTooLarge);
    const authorized = await authorize(request, address);
    if ('error' in authorized) return authorized;
    // Row 2 holds "token of another identity" and comes before the body, so the session is looked up first.
    const session = await options.findSession(sessionId);
    if (session !== null && session.identity !== authorized.claims.identity) {
      return refuse(SETUP_ERRORS.invalidAccessToken);
    }
    const token = body.kind === 'object' ? body.fields['token'] : undefined;
    if (typeof token !== 'string' || token === '') return refuse(SETUP_ERRORS.invalidBody);
    if (session === null) return refuse(SETUP_ERRORS.sessionNotFound);
    const verdict = contextLimiter.use(sessionId, clock.now());
    if (!verdict.allowed) return limited(verdict);
    const outcome = await options.submitContext(sessionId, token);
    return outcome === 'stored' ? { status: 204, body: null } : refuse(CONTEXT_REFUSALS[outcome]);
  }

  /** The checks of 3.7 and 3.8 before `act`, which is for the visitor of the session alone. */
  async function forVisitor(
    request: Request,
    address: string,
    sessionId: string,
    act: (body: JsonBody) => Promise<Outcome>,
  ): Promise<Outcome> {
    const body = await readJsonBody(request, limits.maxBodyBytes);
    if (body.kind === 'too_large') return refuse(SETUP_ERRORS.payloadTooLarge);
    const authorized = await authorize(request, address);
    if ('error' in authorized) return authorized;
    return await inTurn(async () => {
      const session = await options.findStoredSession(sessionId);
      if (session === null) return refuse(SETUP_ERRORS.sessionNotFound);
      if (session.identity !== authorized.claims.identity) return refuse(SETUP_ERRORS.invalidAccessToken);
      const verdict = dataLimiter.use(sessionId, clock.now());
      return verdict.allowed ? await act(body) : limited(verdict);
    });
  }

  const app = new Hono<PlatformEnv>();
  const serve = (
    path: string,
    what: string,
    failure: SetupError,
    handle: (request: Request, address: string, sessionId: string) => Promise<Outcome>,
  ): void => {
    app.post(path, async (context) => {
      const { correlationId, clientAddress } = context.var;
      let outcome: Outcome;
      try {
        // Stored in lower case; limits, sessions in memory and other nodes know no other spelling.
        const sessionId = (context.req.param('sessionId') ?? '').toLowerCase();
        outcome = await handle(context.req.raw, clientAddress, sessionId);
      } catch (error) {
        options.onFailure(what, error, correlationId);
        outcome = refuseFailed(failure, error);
      }
      if ('error' in outcome) return refusalResponse({ ...outcome, correlationId });
      const headers = commonHeaders(correlationId);
      if ('pieces' in outcome)
        return new Response(streamPieces(outcome.pieces, inTurn), {
          headers: { ...headers, ...STREAMED_JSON },
        });
      return outcome.status === 204
        ? new Response(null, { status: 204, headers })
        : Response.json(outcome.body, { status: outcome.status, headers });
    });
    app.options(path, (context) => preflightResponse(context.var.correlationId));
    app.all(path, (context) =>
      refusalResponse({
        error: SETUP_ERRORS.methodNotAllowed,
        correlationId: context.var.correlationId,
        headers: { Allow: 'POST, OPTIONS' },
      }),
    );
  };
  serve('/access-token', 'create an access token', SETUP_ERRORS.tokenCreationFailed, mintAccessToken);
  serve('/sessions', 'create a session', SETUP_ERRORS.sessionCreationFailed, createSession);
  serve(
    '/sessions/:sessionId/context',
    'store a verified context',
    SETUP_ERRORS.internalError,
    submitContext,
  );
  const { visitorData } = options;
  if (visitorData === undefined) return app;
  const { internalError, sessionNotFound } = SETUP_ERRORS;
  serve('/sessions/:sessionId/data', 'read the data of a visitor', internalError, (request, address, id) =>
    forVisitor(request, address, id, async () => {
      const data = await visitorData.read(id);
      return data === null ? refuse(sessionNotFound) : { pieces: data };
    }),
  );
  serve('/sessions/:sessionId/erase', 'erase the data of a visitor', internalError, (request, address, id) =>
    forVisitor(request, address, id, async () => {
      await visitorData.erase(id);
      return { status: 204, body: null };
    }),
  );
  serve('/sessions/:sessionId/contact', 'store a contact request', internalError, (request, address, id) =>
    forVisitor(request, address, id, async (body) => {
      const words = readContactWords(body);
      if (words === null) return refuse(SETUP_ERRORS.invalidBody);
      const outcome = await visitorData.addContactRequest(id, words);
      if (outcome.status === 'unknown') return refuse(sessionNotFound);
      return outcome.status === 'stored'
        ? { status: 204, body: null }
        : { error: SETUP_ERRORS.rateLimited, retryAfterSeconds: outcome.retryAfterSeconds };
    }),
  );
  return app;
}

function refuse(error: SetupError): SetupRefusal {
  return { error };
}

/** Overload passes, so its caller is told to come back; everything else is the row of the endpoint. */
function refuseFailed(failure: SetupError, error: unknown): SetupRefusal {
  return isDatabaseError(error) && error.code === 'overloaded'
    ? { error: SETUP_ERRORS.rateLimited, retryAfterSeconds: RETRY_AFTER_OVERLOAD_SECONDS }
    : refuse(failure);
}

/** The row of the endpoint for a wrong token; 429 after too many of them. */
function refuseGuess(error: SetupError, verdict: LimitVerdict): SetupRefusal {
  return verdict.allowed ? refuse(error) : limited(verdict);
}

function limited(verdict: LimitVerdict): SetupRefusal {
  return {
    error: SETUP_ERRORS.rateLimited,
    retryAfterSeconds: verdict.allowed ? 1 : verdict.retryAfterSeconds,
  };
}

/** Source: HTTP-8. */
function preflightResponse(correlationId: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...commonHeaders(correlationId),
      'Access-Control-Allow-Methods': 'POST, OPTIONS',
      'Access-Control-Allow-Headers':
        'Content-Type, Accept, Authorization, X-Token, X-Host, X-Correlation-Id, X-PolyAI-Correlation-Id',
      'Access-Control-Max-Age': '600',
    },
  });
}
