import { parseCursor, type Vocabulary } from '../src/protocol/index.ts';
import { FakeSession } from './fake-session.ts';
import { createFakeWebSocket } from './fake-web-socket.ts';

/** The proxy's response to the next call, instead of the usual one. */
export type FakeFault =
  | 'unreachable'
  | { readonly status: number; readonly code?: string; readonly retryAfter?: string; readonly text?: string };

export interface FakePlatformOptions {
  /** True: asks for a rating before a session that the user ends is over. Source: TBD-3. */
  readonly hasSurvey?: boolean;
  readonly now?: () => number;
  readonly vocabulary?: Vocabulary;
  /** Text of the agent after it has joined; `null` for none. Default `Hello`. */
  readonly greeting?: string | null;
  /** False: a join request is only recorded. Default true. */
  readonly joins?: boolean;
  /**
   * False: echoes are stored but not sent, as on a half-open connection. `heartbeats`: only echoes of heartbeats are
   * sent. Default true.
   */
  readonly echoes?: boolean | 'heartbeats';
  /** False: frames of clients are lost, as on a socket that is about to break. Default true. */
  readonly hears?: boolean;
  /** False: a repeated message counts as a new one, as on a platform without ECH-4. Default true. */
  readonly isIdempotent?: boolean;
  /** False: batches have no `has_more`. Default true. */
  readonly saysHasMore?: boolean;
  /** False: every cursor counts as 0. Default true. */
  readonly readsCursor?: boolean;
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly websocketUrl?: string;
  /** True: the proxy relays sockets, and issues tickets instead of tokens. Default false. */
  readonly relays?: boolean;
  /** Further features of the proxy. Default: its responses name none. */
  readonly offers?: readonly string[];
  /** Context id for a verified-context token; the project does not use it without one. */
  readonly contextId?: string;
  /** Lifetime of tokens in the session response. Default: a day. */
  readonly tokenLifeSeconds?: number;
  /** True: pages are on the proxy's own site, and a resume keeps the ticket in a cookie. Default false. */
  readonly keepsCookie?: boolean;
  /** Called after the echo of a visitor's message. */
  readonly onUserMessage?: (session: FakeSession, text: string) => void;
}

/** Lifetime of the proxy's tickets. */
const TICKET_LIFE_MS = 600_000;

/**
 * Proxy and platform in one, controlled by a script: it follows the protocol, and fails on request. Runs anywhere. In
 * one page with the client it is reached through `fetch` and `WebSocket` below, over a real network through
 * `fake-platform-server.ts`.
 *
 * @example
 * const platform = new FakePlatform({ greeting: 'Ahoy' });
 * const chat = createChatClient({ endpoint: 'https://chat.test', ports: platform.ports });
 */
export class FakePlatform {
  options: FakePlatformOptions;
  readonly sessions: FakeSession[] = [];
  /** Calls to the proxy, in order. */
  readonly calls: { readonly path: string; readonly body: unknown }[] = [];
  /** Handshakes in order; the cursor as written in the address. */
  readonly handshakes: {
    readonly sessionId: string | null;
    readonly cursor: string | null;
    readonly isAccepted: boolean;
  }[] = [];
  /** Each call consumes one. */
  readonly faults: FakeFault[] = [];
  /** The only cookie of the only browser; empty for none. */
  cookie = '';
  /** Ids of sessions whose tickets are rejected. */
  readonly loggedOut: string[] = [];
  /** Responds to calls of a chat without a socket; `null` if the proxy has none. */
  chat: ((path: string, body: unknown) => Response | Promise<Response>) | null = null;
  /** The proxy's test of a handshake; `null` for the actual state. */
  probe: object | null = null;
  /** Number of handshakes that are still refused. */
  refusals = 0;
  /** The page's policy forbids sockets: a refused socket emits an error, but no close event. */
  isForbidden = false;
  /** The health route responds with 503. */
  isDown = false;
  readonly WebSocket: typeof WebSocket = createFakeWebSocket(this);
  readonly fetch: (input: string, init: RequestInit) => Promise<Response> = (input, init) =>
    this.answer(new URL(input).pathname, init.body === undefined ? null : String(init.body), init);
  /** Tickets that open a socket, each once. */
  readonly #relayTickets = new Map<string, FakeSession>();
  readonly #tickets = new Map<string, { readonly session: FakeSession; readonly sealedAtMs: number }>();
  #ids = 0;

  constructor(options: FakePlatformOptions = {}) {
    this.options = options;
  }

  get vocabulary(): Vocabulary {
    return this.options.vocabulary ?? 'neutral';
  }

  /** The newest session. */
  get session(): FakeSession {
    const session = this.sessions.at(-1);
    if (!session) throw new Error('No session has been created yet.');
    return session;
  }

  now(): number {
    return this.options.now?.() ?? Date.UTC(2026, 2, 2, 9, 15);
  }

  createId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids}`;
  }

  /** One call to the proxy. */
  async answer(path: string, body: string | null, _init: RequestInit = {}): Promise<Response> {
    const parsed: unknown = body === null ? null : JSON.parse(body);
    this.calls.push({ path, body: parsed });
    const fault = this.faults.shift();
    if (fault === 'unreachable') throw new TypeError('fetch failed');
    if (fault) return refusal(fault);
    switch (path.replace(/^.*(?=\/v1\/)/, '')) {
      case '/v1/session':
        return this.#grant(this.createSession());
      case '/v1/resume': {
        const session = this.#openTicket(parsed);
        return session
          ? this.#grant(session, this.options.keepsCookie)
          : refusal({ status: 410, code: 'RESUME_TICKET_INVALID' });
      }
      case '/v1/relay': {
        const session = this.#openTicket(parsed);
        if (!session) return refusal({ status: 410, code: 'RESUME_TICKET_INVALID' });
        return this.isDown
          ? refusal({ status: 503, code: 'UPSTREAM_UNAVAILABLE' })
          : Response.json({ relay_ticket: this.#createRelayTicket(session), expires_in_seconds: 30 });
      }
      case '/v1/logout': {
        const sealed = this.#tickets.get(this.#readTicket(parsed));
        if (sealed) this.loggedOut.push(sealed.session.id);
        this.cookie = '';
        return Response.json({ status: 'logged_out' });
      }
      case '/v1/context': {
        const sealed = this.#tickets.get(this.#readTicket(parsed));
        if (!sealed || this.loggedOut.includes(sealed.session.id)) {
          return refusal({ status: 410, code: 'RESUME_TICKET_INVALID' });
        }
        sealed.session.contextTokens.push(Object(parsed).token);
        return Response.json({ status: 'accepted' });
      }
      case '/v1/contact':
      case '/v1/feedback':
        return this.#tickets.has(this.#readTicket(parsed))
          ? Response.json({ status: 'accepted' })
          : refusal({ status: 410, code: 'RESUME_TICKET_INVALID' });
      case '/v1/probe':
        return Response.json(this.#probe(parsed));
      case '/v1/chat/create':
      case '/v1/chat/respond':
      case '/v1/chat/close':
        return this.chat?.(path, parsed) ?? refusal({ status: 404, code: 'CHAT_NOT_AVAILABLE' });
      case '/v1/health':
        return this.isDown
          ? refusal({ status: 503, code: 'UPSTREAM_UNAVAILABLE' })
          : Response.json({ status: 'ok' });
      default:
        return refusal({ status: 404, code: 'NOT_FOUND' });
    }
  }

  createSession(): FakeSession {
    const id = this.createId('session-');
    const claims = btoa(JSON.stringify({ sub: id, exp: Math.floor(this.now() / 1000) + 86_400 }));
    const session = new FakeSession(this, id, `e30.${claims.replaceAll('=', '')}.secret-${id}`);
    this.sessions.push(session);
    return session;
  }

  /** Accepts a handshake; `null` for a refused one. */
  accept(url: URL): { readonly session: FakeSession; readonly cursor: number } | null {
    const ticket = url.searchParams.get('ticket') ?? '';
    const relayed = this.#relayTickets.get(ticket);
    this.#relayTickets.delete(ticket);
    const sessionId = relayed?.id ?? url.searchParams.get('session_id');
    const cursor = url.searchParams.get('cursor');
    const found = this.sessions.find(({ id }) => id === sessionId);
    const token = relayed ? relayed.token : url.searchParams.get('access_token');
    const isMeant = found && !found.isGone && found.token === token;
    const isAccepted = Boolean(isMeant) && this.refusals <= 0;
    if (this.refusals > 0) this.refusals -= 1;
    this.handshakes.push({ sessionId, cursor, isAccepted });
    return isAccepted && found ? { session: found, cursor: parseCursor(cursor).cursor } : null;
  }

  #probe(body: unknown): object {
    if (this.probe) return this.probe;
    if (this.isDown) return { handshake: 'unreachable' };
    const given = body && typeof body === 'object' && 'session_id' in body ? body.session_id : null;
    const id = this.options.relays ? this.#openTicket(body)?.id : given;
    const isGood = this.sessions.some((session) => session.id === id && !session.isGone);
    return isGood ? { handshake: 'accepted', status: 101 } : { handshake: 'refused', status: 404 };
  }

  /** Returns the ticket of a request: its own, else the cookie's. */
  #readTicket(body: unknown): string {
    const given = body && typeof body === 'object' && 'resume_ticket' in body ? body.resume_ticket : null;
    return typeof given === 'string' ? given : this.cookie;
  }

  #openTicket(body: unknown): FakeSession | null {
    const sealed = this.#tickets.get(this.#readTicket(body));
    const isGood =
      sealed &&
      this.now() - sealed.sealedAtMs < TICKET_LIFE_MS &&
      !this.loggedOut.includes(sealed.session.id);
    return isGood ? sealed.session : null;
  }

  #createRelayTicket(session: FakeSession): string {
    const ticket = this.createId('relay-');
    this.#relayTickets.set(ticket, session);
    return ticket;
  }

  #grant(session: FakeSession, setsCookie = false): Response {
    const ticket = this.createId('ticket-');
    this.#tickets.set(ticket, { session, sealedAtMs: this.now() });
    if (setsCookie) this.cookie = ticket;
    return Response.json({
      session_id: session.id,
      access_token: session.token,
      expires_at: new Date(this.now() + 86_400_000).toISOString(),
      expires_in_seconds: this.options.tokenLifeSeconds ?? 86_400,
      websocket_url: this.options.websocketUrl ?? 'wss://platform.test/ws',
      resume_by: this.options.keepsCookie ? 'cookie' : 'ticket',
      resume_ticket: setsCookie ? '' : ticket,
      offers: this.options.offers,
      ...(this.options.relays && {
        access_token: '',
        websocket_url: '',
        relay_ticket: this.#createRelayTicket(session),
        vocabulary: this.vocabulary,
      }),
    });
  }
}

function refusal({ status, code, retryAfter, text }: Exclude<FakeFault, string>): Response {
  const headers = new Headers(retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
  if (text !== undefined) return new Response(text, { status, headers });
  return Response.json(
    { code, message: 'Refused by the test.', retryable: status === 429 || status >= 500 },
    { status, headers },
  );
}
