import {
  type ClientEvent,
  type CustomMap,
  clientEventIdOf,
  decodeClientFrame,
  encodeBatches,
  encodeServerEvent,
  type KnownEventType,
  type OutgoingEvent,
  parseCursor,
  type Vocabulary,
} from '../src/protocol/index.ts';
import { createFakeWebSocket } from './fake-web-socket.ts';

/** The platform's end of one socket. */
export interface FakePeer {
  send(frame: string | Uint8Array): void;
  close(code: number): void;
  /** Cut without a word: the client sees 1006. */
  terminate(): void;
}

/** What the proxy answers to the next call, instead of doing its job. */
export type FakeFault =
  | 'unreachable'
  | { readonly status: number; readonly code?: string; readonly retryAfter?: string; readonly text?: string };

export interface FakePlatformOptions {
  /** Asks how it was before a session that the user ends is over. Source: TBD-3. */
  readonly hasSurvey?: boolean;
  readonly now?: () => number;
  readonly vocabulary?: Vocabulary;
  /** What the agent says on joining; null for nothing. Default `Hello`. */
  readonly greeting?: string | null;
  /** False: a join request is only recorded. Default true. */
  readonly joins?: boolean;
  /** False: echoes are stored but not sent, as on a half-open way out. Default true. */
  readonly echoes?: boolean;
  /** False: frames of clients are lost on the way, as on a socket that is about to break. Default true. */
  readonly hears?: boolean;
  /** False: a repeated message counts as a new one, as on a platform without ECH-4. Default true. */
  readonly isIdempotent?: boolean;
  /** False: batches come without `has_more`. Default true. */
  readonly saysHasMore?: boolean;
  /** False: every cursor counts as 0. Default true. */
  readonly readsCursor?: boolean;
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly websocketUrl?: string;
  /** What a verified-context token has to name; without it the project does without. */
  readonly contextId?: string;
  /** As the session answer says it. Default a day. */
  readonly tokenLifeSeconds?: number;
  /** True: pages are on the proxy's own site, and a resume keeps the ticket in a cookie. Default false. */
  readonly keepsCookie?: boolean;
  /** Called after the echo of a visitor's message. */
  readonly onUserMessage?: (session: FakeSession, text: string) => void;
}

/** As long as the proxy's tickets. */
const TICKET_LIFE_MS = 600_000;

type EmitOptions = {
  readonly custom?: CustomMap | null;
  readonly isTransient?: boolean;
  readonly id?: string;
};

/** One session: its log, its sockets, what it received. */
export class FakeSession {
  readonly id: string;
  readonly token: string;
  readonly log: OutgoingEvent[] = [];
  readonly peers: Set<FakePeer> = new Set();
  /** Everything clients sent and the platform could read, in order. */
  readonly received: ClientEvent[] = [];
  /** Verified-context tokens handed in, in order. */
  readonly contextTokens: unknown[] = [];
  isEnded = false;
  isGone = false;
  readonly #platform: FakePlatform;
  readonly #echoes = new Map<string, OutgoingEvent>();

  constructor(platform: FakePlatform, id: string, token: string) {
    this.#platform = platform;
    this.id = id;
    this.token = token;
    const { capabilities = {}, contextId: context_id } = platform.options;
    this.emit('EVENT_TYPE_SESSION_START', { capabilities, ...(context_id && { context_id }) });
  }

  /** Logs an event and sends it to every socket. */
  emit(
    type: KnownEventType,
    payload: Readonly<Record<string, unknown>>,
    options: EmitOptions = {},
  ): OutgoingEvent {
    const event = this.record(type, payload, options);
    this.deliver(event);
    return event;
  }

  /** Logs an event without sending it. */
  record(
    type: KnownEventType,
    payload: Readonly<Record<string, unknown>>,
    options: EmitOptions = {},
  ): OutgoingEvent {
    const event: OutgoingEvent = {
      id: options.id ?? this.#platform.createId('e'),
      sequence: options.isTransient ? null : this.log.length + 1,
      timestampMs: this.#platform.now(),
      type,
      payload,
      custom: options.custom ?? null,
    };
    if (!options.isTransient) this.log.push(event);
    return event;
  }

  /** Sends an event, logged or not, to every socket or to one. */
  deliver(event: OutgoingEvent, peers: Iterable<FakePeer> = [...this.peers]): void {
    const text = encodeServerEvent(event, this.#platform.vocabulary);
    for (const peer of peers) peer.send(text);
  }

  /** Says something as the agent. */
  say(text: string, more: Readonly<Record<string, unknown>> = {}): OutgoingEvent {
    return this.emit('EVENT_TYPE_AGENT_MESSAGE', { message_id: this.#platform.createId('m'), text, ...more });
  }

  /** An error that only its causer hears. */
  refuse(message: string, custom: CustomMap | null = null): void {
    const payload = { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message };
    this.emit('EVENT_TYPE_SYSTEM_MESSAGE', payload, { isTransient: true, custom });
  }

  end(reason: string): void {
    this.isEnded = true;
    this.emit('EVENT_TYPE_SESSION_END', { reason });
    for (const peer of [...this.peers]) peer.close(1000);
  }

  /** Cuts every socket; the session stays. */
  drop(): void {
    for (const peer of [...this.peers]) peer.terminate();
  }

  /** Texts of the visitor as the log holds them. */
  get userTexts(): readonly unknown[] {
    return this.log
      .filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')
      .map(({ payload }) => payload['text']);
  }

  open(peer: FakePeer, cursor: number): void {
    this.peers.add(peer);
    const { options, vocabulary } = this.#platform;
    const from = options.readsCursor === false ? 0 : cursor;
    const events = this.log.filter(({ sequence }) => sequence === 1 || (sequence ?? 0) > from);
    const frames = encodeBatches(events, {
      vocabulary,
      maxBytes: 131_072,
      nowMs: this.#platform.now(),
      createId: () => this.#platform.createId('b'),
      lastSequence: this.log.length,
    });
    for (const frame of frames) {
      peer.send(
        options.saysHasMore === false
          ? frame.replace(/,"has_more":(true|false),"last_sequence":\d+/, '')
          : frame,
      );
    }
    if (this.isEnded) peer.close(1000);
  }

  receive(peer: FakePeer, frame: string | null): void {
    if (this.#platform.options.hears === false) return;
    const optional = this.#platform.options.hasSurvey ? (['EVENT_TYPE_CSAT_RESPONSE'] as const) : [];
    const decoded = decodeClientFrame(frame, undefined, undefined, optional);
    if (decoded.kind === 'close') {
      peer.close(decoded.code);
      return;
    }
    if (decoded.kind === 'error') {
      const payload = { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: decoded.text };
      const error = this.record('EVENT_TYPE_SYSTEM_MESSAGE', payload, {
        isTransient: true,
        custom: decoded.custom,
      });
      this.deliver(error, [peer]);
      return;
    }
    const { event } = decoded;
    this.received.push(event);
    if (!this.isEnded) this.#answer(peer, event);
  }

  #answer(peer: FakePeer, event: ClientEvent): void {
    const { options } = this.#platform;
    switch (event.type) {
      case 'EVENT_TYPE_HEARTBEAT':
        if (options.echoes !== false) {
          this.deliver(this.record(event.type, {}, { isTransient: true }), [peer]);
        }
        return;
      case 'EVENT_TYPE_USER_TYPING':
        return;
      case 'EVENT_TYPE_USER_END_SESSION':
        this.emit(event.type, {});
        if (options.hasSurvey) this.ask();
        else this.end('REASON_USER_END');
        return;
      case 'EVENT_TYPE_CSAT_RESPONSE':
        this.emit(event.type, event.payload);
        this.end('REASON_USER_END');
        return;
      case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
        this.#join(event);
        return;
      case 'EVENT_TYPE_USER_MESSAGE':
        this.#hear(peer, event.payload.text, event.custom);
        return;
    }
  }

  /** Asks how it was. */
  ask(): void {
    const texts = { title: 'Rate your chat', question: 'How would you rate your experience?' };
    this.emit('EVENT_TYPE_SHOW_CSAT_REQUEST', { survey_id: 's-1', ...texts, scale_min: 1, scale_max: 5 });
  }

  #join({ custom }: ClientEvent): void {
    const { joins, greeting = 'Hello' } = this.#platform.options;
    this.emit('EVENT_TYPE_REQUEST_AGENT_JOIN', {}, { custom });
    if (joins === false) return;
    this.emit('EVENT_TYPE_AGENT_JOINED', { agent_name: 'Ada', agent_avatar_url: null });
    if (greeting !== null) this.say(greeting);
  }

  #hear(peer: FakePeer, text: string, custom: CustomMap | null): void {
    const { options } = this.#platform;
    const name = clientEventIdOf(custom);
    const known = name === null ? undefined : this.#echoes.get(name);
    if (known && options.isIdempotent !== false) {
      if (options.echoes !== false) this.deliver(known, [peer]);
      return;
    }
    const payload = { message_id: this.#platform.createId('msg_'), text };
    const echo = this.record('EVENT_TYPE_USER_MESSAGE', payload, { custom });
    if (name !== null) this.#echoes.set(name, echo);
    if (options.echoes !== false) this.deliver(echo);
    options.onUserMessage?.(this, text);
  }
}

/**
 * Proxy and platform in one, at the level of a script: it speaks the protocol, and fails on request. Runs
 * anywhere; in one page with the client it is reached through `fetch` and `WebSocket` below, over a real
 * network through `fake-platform-server.ts`.
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
  /** Handshakes, in order; the cursor as it stood in the address. */
  readonly handshakes: {
    readonly sessionId: string | null;
    readonly cursor: string | null;
    readonly isAccepted: boolean;
  }[] = [];
  /** Consumed one per call. */
  readonly faults: FakeFault[] = [];
  /** The one cookie of the one browser; empty for none. */
  cookie = '';
  /** Ids of sessions whose tickets are refused. */
  readonly loggedOut: string[] = [];
  /** The chat without a socket; null for none. */
  chat: ((path: string, body: unknown) => Response | Promise<Response>) | null = null;
  /** What the proxy says of a handshake; null for how it is. */
  probe: object | null = null;
  /** How many handshakes are still refused. */
  refusals = 0;
  /** The page's policy forbids sockets: refused ones have an error and no end. */
  isForbidden = false;
  /** 503 from the health route. */
  isDown = false;
  readonly WebSocket: typeof WebSocket = createFakeWebSocket(this);
  readonly fetch: (input: string, init: RequestInit) => Promise<Response> = (input, init) =>
    this.answer(new URL(input).pathname, init.body === undefined ? null : String(init.body));
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
  async answer(path: string, body: string | null): Promise<Response> {
    const parsed: unknown = body === null ? null : JSON.parse(body);
    this.calls.push({ path, body: parsed });
    const fault = this.faults.shift();
    if (fault === 'unreachable') throw new TypeError('fetch failed');
    if (fault) return refusal(fault);
    switch (path.replace(/^.*(?=\/v1\/)/, '')) {
      case '/v1/session':
        return this.#grant(this.createSession());
      case '/v1/resume': {
        const sealed = this.#tickets.get(this.#readTicket(parsed));
        const isGood =
          sealed &&
          this.now() - sealed.sealedAtMs < TICKET_LIFE_MS &&
          !this.loggedOut.includes(sealed.session.id);
        return isGood
          ? this.#grant(sealed.session, this.options.keepsCookie)
          : refusal({ status: 410, code: 'RESUME_TICKET_INVALID' });
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

  /** Takes or refuses a handshake; null is a refusal. */
  accept(url: URL): { readonly session: FakeSession; readonly cursor: number } | null {
    const sessionId = url.searchParams.get('session_id');
    const cursor = url.searchParams.get('cursor');
    const found = this.sessions.find(({ id }) => id === sessionId);
    const isMeant = found && !found.isGone && found.token === url.searchParams.get('access_token');
    const isAccepted = Boolean(isMeant) && this.refusals <= 0;
    if (this.refusals > 0) this.refusals -= 1;
    this.handshakes.push({ sessionId, cursor, isAccepted });
    return isAccepted && found ? { session: found, cursor: parseCursor(cursor).cursor } : null;
  }

  #probe(body: unknown): object {
    if (this.probe) return this.probe;
    if (this.isDown) return { handshake: 'unreachable' };
    const id = body && typeof body === 'object' && 'session_id' in body ? body.session_id : null;
    const isGood = this.sessions.some((session) => session.id === id && !session.isGone);
    return isGood ? { handshake: 'accepted', status: 101 } : { handshake: 'refused', status: 404 };
  }

  /** The ticket of a request: its own, else the cookie's. */
  #readTicket(body: unknown): string {
    const given = body && typeof body === 'object' && 'resume_ticket' in body ? body.resume_ticket : null;
    return typeof given === 'string' ? given : this.cookie;
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
