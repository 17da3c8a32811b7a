import { matchesOrigin, SETUP_ERRORS, type SetupError } from 'natter/protocol';
import type { AccessTokenClaims, AccessTokens, AuthFailureLimiter } from '../../accounts/tokens/index.ts';
import type { Clock } from '../../kit/clock.ts';
import {
  type CreateLimiter,
  createWindowLimiter,
  type JsonBody,
  type LimitVerdict,
  limitersInMemory,
  type Refusal,
  readJsonBody,
} from '../../kit/http/index.ts';
import {
  admitsHost,
  type ConnectorDirectory,
  findMatchingHost,
  type MessagingConnector,
  missingAgentOf,
} from '../conversation/index.ts';
import type { MessagingLimits } from '../messaging-limits.ts';
import { readContactMessage } from './read-contact-message.ts';
import { readSessionRequest, type SessionRequest } from './session-request.ts';
import type { SetupWatch } from './setup-watch.ts';
import type { VisitorData } from './visitor-data.ts';
import { VisitorDataQueue } from './visitor-data-queue.ts';

/** Result of submitting a context token. Source: 3.6. */
export type ContextOutcome = 'stored' | 'not_enabled' | 'too_large' | 'invalid';

/** Dependencies of the endpoints. */
export interface SetupOptions {
  readonly connectors: ConnectorDirectory;
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  readonly limits: MessagingLimits;
  /** Counts wrong connector and access tokens. */
  readonly guesses: AuthFailureLimiter;
  /** Makes the limit of sessions for each address. Default: in memory. */
  readonly createLimiter?: CreateLimiter;
  /** Creates a session with its SESSION_START and returns its id. Source: SES-1, SES-2. */
  readonly createSession: (
    request: SessionRequest,
    owner: { readonly identity: string; readonly connector: MessagingConnector; readonly host: string },
  ) => Promise<string>;
  /** Returns a session that still accepts input; null when it is unknown, ended or expired. */
  readonly findSession: (sessionId: string) => Promise<{ readonly identity: string } | null>;
  readonly submitContext: (sessionId: string, token: string) => Promise<ContextOutcome>;
  /** Returns a session in any state. */
  readonly findStoredSession: (sessionId: string) => Promise<{ readonly identity: string } | null>;
  /** Reads and erases a visitor's stored data. Absent: those routes answer 404. Source: messaging.md 3.7, 3.8. */
  readonly visitorData?: VisitorData;
  readonly watch: Pick<SetupWatch, 'hostRefused' | 'sessionCreated'>;
  /** Whether the platform has the agent of the connector's project. */
  readonly hasAgent: (connector: MessagingConnector) => boolean;
  readonly onFailure: (what: string, error: unknown, correlationId: string) => void;
}

/** A request to an endpoint. */
export interface SetupCall {
  readonly request: Request;
  readonly address: string;
  /** From the path; empty if it has none. */
  readonly sessionId: string;
}

/** The refusal of a request. */
export type SetupRefusal = Pick<Refusal, 'error' | 'retryAfterSeconds'>;

type Answer = { readonly body: unknown; readonly status: 200 | 204 };
/** The response of an endpoint. */
export type Outcome = Answer | { readonly pieces: AsyncGenerator<string, void, undefined> } | SetupRefusal;

type Authorized = {
  readonly body: JsonBody;
  readonly claims: AccessTokenClaims;
  readonly connector: MessagingConnector;
};

const MINUTE_MS = 60_000;
const NOTHING: Answer = { status: 204, body: null };

/** Rows 5 to 7 of 3.6. */
const CONTEXT_REFUSALS: Readonly<Record<Exclude<ContextOutcome, 'stored'>, SetupError>> = {
  not_enabled: SETUP_ERRORS.contextNotEnabled,
  too_large: SETUP_ERRORS.contextTokenTooLarge,
  invalid: SETUP_ERRORS.invalidContextToken,
};

/** The endpoints of messaging.md section 3. Checks run in the order of its tables. */
export class SetupRequests {
  readonly #options: SetupOptions;
  readonly #tokenLimiter: ReturnType<typeof createWindowLimiter>;
  readonly #sessionLimiter: ReturnType<CreateLimiter>;
  readonly #contextLimiter: ReturnType<typeof createWindowLimiter>;
  readonly #dataLimiter: ReturnType<typeof createWindowLimiter>;
  readonly visitorDataQueue: VisitorDataQueue;

  constructor(options: SetupOptions) {
    const { clock, limits, createLimiter = limitersInMemory(clock) } = options;
    const perMinute = (limit: number) => ({ limit, windowMs: MINUTE_MS });
    this.#options = options;
    this.#tokenLimiter = createWindowLimiter(perMinute(limits.accessTokensPerMinute));
    this.#sessionLimiter = createLimiter('sessions of an address', perMinute(limits.sessionsPerMinute));
    this.#contextLimiter = createWindowLimiter(perMinute(limits.contextSubmissionsPerMinute));
    this.#dataLimiter = createWindowLimiter(perMinute(limits.contextSubmissionsPerMinute));
    this.visitorDataQueue = new VisitorDataQueue(limits.contextSubmissionsPerMinute);
  }

  /** Source: 3.2. */
  async mintAccessToken({ request, address }: SetupCall): Promise<Outcome> {
    const connectorToken = request.headers.get('x-token')?.trim() ?? '';
    const xHost = request.headers.get('x-host')?.trim() ?? '';
    const { connectors, tokens, clock, limits, guesses, watch } = this.#options;
    const body = await readJsonBody(request, limits.maxBodyBytes);
    if (body.kind === 'too_large') return refuse(SETUP_ERRORS.payloadTooLarge);
    if (body.kind === 'unknown_encoding') return refuse(SETUP_ERRORS.unknownEncoding);
    if (connectorToken === '' || xHost === '') return refuse(SETUP_ERRORS.missingAuthHeaders);
    if (body.kind === 'malformed') return refuse(SETUP_ERRORS.invalidBody);
    const connector = await connectors.findByToken(connectorToken);
    if (connector === null)
      return refuseGuess(SETUP_ERRORS.connectorNotFound, await guesses.count(address, connectorToken));
    if (connector.hosts.length === 0) return refuse(SETUP_ERRORS.connectorHostMissing);
    const host = findMatchingHost(connector.hosts, xHost);
    const origin = request.headers.get('origin');
    if (host === null || !matchesOrigin(connector.hosts, origin, connector.enforceOrigin)) {
      if (host === null) watch.hostRefused(connector, 'X-Host', xHost);
      else watch.hostRefused(connector, 'Origin', origin ?? '');
      return refuse(SETUP_ERRORS.connectorHostMismatch);
    }
    const verdict = this.#tokenLimiter.use(`${connector.id} ${address}`, clock.now());
    if (!verdict.allowed) return limited(verdict);
    const { token, expiresInSeconds } = await tokens.mint({ connectorId: connector.id, host });
    return {
      status: 200,
      body: { access_token: token, expires_in: expiresInSeconds, token_type: 'Bearer' },
    };
  }

  /** Source: 3.4. */
  async createSession(call: SetupCall): Promise<Outcome> {
    const authorized = await this.#authorize(call);
    if ('error' in authorized) return authorized;
    const { body, claims, connector } = authorized;
    const wanted = readSessionRequest(body);
    if (wanted === null) return refuse(SETUP_ERRORS.invalidBody);
    const verdict = await this.#sessionLimiter.use(call.address);
    if (!verdict.allowed) return limited(verdict);
    const owner = { identity: claims.identity, connector, host: claims.host };
    const sessionId = await this.#options.createSession(wanted, owner);
    const isAgentMissing = !this.#options.hasAgent(connector);
    this.#options.watch.sessionCreated(connector, call.request.headers.get('host'), isAgentMissing);
    // For the token proxy's log; clients ignore it.
    const missing = isAgentMissing && { missing_agent: missingAgentOf(connector) };
    const offers = this.#options.visitorData?.offersContact && { offers: ['contact'] };
    return { status: 200, body: { session_id: sessionId, ...missing, ...offers } };
  }

  /** Source: 3.6. */
  async submitContext(call: SetupCall): Promise<Outcome> {
    const authorized = await this.#authorize(call);
    if ('error' in authorized) return authorized;
    const { body, claims } = authorized;
    const { sessionId } = call;
    // Row 2 includes "token of another identity" and comes before the body, so the session is looked up first.
    const session = await this.#options.findSession(sessionId);
    if (session !== null && session.identity !== claims.identity) {
      return refuse(SETUP_ERRORS.invalidAccessToken);
    }
    const token = body.kind === 'object' ? body.fields['token'] : undefined;
    if (typeof token !== 'string' || token === '') return refuse(SETUP_ERRORS.invalidBody);
    if (session === null) return refuse(SETUP_ERRORS.sessionNotFound);
    const verdict = this.#contextLimiter.use(sessionId, this.#options.clock.now());
    if (!verdict.allowed) return limited(verdict);
    const outcome = await this.#options.submitContext(sessionId, token);
    return outcome === 'stored' ? NOTHING : refuse(CONTEXT_REFUSALS[outcome]);
  }

  /** Source: 3.7. */
  async readVisitorData(call: SetupCall, data: VisitorData): Promise<Outcome> {
    return await this.#forVisitor(call, async () => {
      const pieces = await data.read(call.sessionId);
      return pieces === null ? refuse(SETUP_ERRORS.sessionNotFound) : { pieces };
    });
  }

  /** Source: 3.7. */
  async eraseVisitorData(call: SetupCall, data: VisitorData): Promise<Outcome> {
    return await this.#forVisitor(call, async () => {
      await data.erase(call.sessionId);
      return NOTHING;
    });
  }

  /** Source: 3.8. */
  async addContactRequest(call: SetupCall, data: VisitorData): Promise<Outcome> {
    return await this.#forVisitor(call, async (body) => {
      const words = readContactMessage(body);
      if (words === null) return refuse(SETUP_ERRORS.invalidBody);
      const outcome = await data.addContactRequest(call.sessionId, words);
      if (outcome.status === 'unknown') return refuse(SETUP_ERRORS.sessionNotFound);
      if (outcome.status === 'stored') return NOTHING;
      return { error: SETUP_ERRORS.rateLimited, retryAfterSeconds: outcome.retryAfterSeconds };
    });
  }

  /** Runs the checks of 3.7 and 3.8 before `act`, which is for the session's visitor only. */
  async #forVisitor(call: SetupCall, act: (body: JsonBody) => Promise<Outcome>): Promise<Outcome> {
    const authorized = await this.#authorize(call);
    if ('error' in authorized) return authorized;
    const { identity } = authorized.claims;
    const outcome = await this.visitorDataQueue.wait(identity, async () => {
      const session = await this.#options.findStoredSession(call.sessionId);
      if (session === null) return refuse(SETUP_ERRORS.sessionNotFound);
      if (session.identity !== identity) return refuse(SETUP_ERRORS.invalidAccessToken);
      const verdict = this.#dataLimiter.use(call.sessionId, this.#options.clock.now());
      return verdict.allowed ? await act(authorized.body) : limited(verdict);
    });
    return outcome ?? limited({ allowed: false, retryAfterSeconds: 1 });
  }

  /** Rows 1 to 3 of 3.4, shared by all endpoints except the first. */
  async #authorize({ request, address }: SetupCall): Promise<Authorized | SetupRefusal> {
    const { connectors, tokens, limits, guesses } = this.#options;
    const body = await readJsonBody(request, limits.maxBodyBytes);
    if (body.kind === 'too_large') return refuse(SETUP_ERRORS.payloadTooLarge);
    if (body.kind === 'unknown_encoding') return refuse(SETUP_ERRORS.unknownEncoding);
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
      : { body, claims, connector };
  }
}

export function refuse(error: SetupError): SetupRefusal {
  return { error };
}

/** The endpoint's row for a wrong token; 429 after too many of them. */
function refuseGuess(error: SetupError, verdict: LimitVerdict): SetupRefusal {
  return verdict.allowed ? refuse(error) : limited(verdict);
}

function limited(verdict: LimitVerdict): SetupRefusal {
  return {
    error: SETUP_ERRORS.rateLimited,
    retryAfterSeconds: verdict.allowed ? 1 : verdict.retryAfterSeconds,
  };
}
