import {
  type ClientEvent,
  type CustomMap,
  clientEventIdOf,
  decodeClientFrame,
  encodeBatches,
  encodeServerEvent,
  type KnownEventType,
  type OutgoingEvent,
  RECEIPTS,
} from '../src/protocol/index.ts';
import type { FakePlatform } from './fake-platform.ts';

/** The platform's end of one socket. */
export interface FakePeer {
  send(frame: string | Uint8Array): void;
  close(code: number): void;
  /** Cuts the socket without a close frame: the client sees 1006. */
  terminate(): void;
}

type EmitOptions = {
  readonly custom?: CustomMap | null;
  readonly isTransient?: boolean;
  readonly id?: string;
};

/** One session: its log, its sockets, its received events. */
export class FakeSession {
  readonly id: string;
  readonly token: string;
  readonly log: OutgoingEvent[] = [];
  readonly peers: Set<FakePeer> = new Set();
  /** Everything readable that clients have sent, in order. */
  readonly received: ClientEvent[] = [];
  /** Submitted verified-context tokens, in order. */
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

  /** Sends a message as the agent. */
  say(text: string, more: Readonly<Record<string, unknown>> = {}): OutgoingEvent {
    return this.emit('EVENT_TYPE_AGENT_MESSAGE', { message_id: this.#platform.createId('m'), text, ...more });
  }

  /** Sends an error to its sender only. */
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

  /** Texts of the visitor in the log. */
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
    const { hasSurvey, capabilities } = this.#platform.options;
    const optional = [
      ...(hasSurvey ? (['EVENT_TYPE_CSAT_RESPONSE'] as const) : []),
      ...(Array.of(capabilities?.['extensions']).flat().includes(RECEIPTS)
        ? (['EVENT_TYPE_USER_READ_MESSAGE'] as const)
        : []),
    ];
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
      case 'EVENT_TYPE_USER_READ_MESSAGE':
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
      case 'EVENT_TYPE_X_FEEDBACK':
        this.#store(peer, event.type, { ...event.payload }, event.custom);
        return;
      case 'EVENT_TYPE_USER_MESSAGE':
        this.#hear(peer, event.payload.text, event.custom);
        return;
    }
  }

  /** Asks for a rating. */
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
    const payload = { message_id: this.#platform.createId('msg_'), text };
    if (this.#store(peer, 'EVENT_TYPE_USER_MESSAGE', payload, custom))
      this.#platform.options.onUserMessage?.(this, text);
  }

  /** Stores and echoes an event of a client once; returns false for a repetition. */
  #store(
    peer: FakePeer,
    type: KnownEventType,
    payload: Readonly<Record<string, unknown>>,
    custom: CustomMap | null,
  ): boolean {
    const { options } = this.#platform;
    const { echoes = true } = options;
    const name = clientEventIdOf(custom);
    const known = name === null ? undefined : this.#echoes.get(name);
    if (known && options.isIdempotent !== false) {
      if (echoes === true) this.deliver(known, [peer]);
      return false;
    }
    const echo = this.record(type, payload, { custom });
    if (name !== null) this.#echoes.set(name, echo);
    if (echoes === true) this.deliver(echo);
    return true;
  }
}
