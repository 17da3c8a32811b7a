/*
 * A conversation in turns, for a network that blocks sockets. It is a transport: every message is a call to the token
 * proxy, whose response becomes events. Transcript and outbox work as with a socket.
 *
 * event of the client     effect                            resulting events
 * REQUEST_AGENT_JOIN      none: creating requested it       AGENT_JOINED, AGENT_MESSAGE with its first text
 * USER_MESSAGE            respond, one at a time            AGENT_THINKING; then the echo and AGENT_MESSAGE,
 *                                                           or an error that names the message
 * HEARTBEAT               requests the proxy's health       HEARTBEAT, if it is healthy
 * USER_END_SESSION        close                             SESSION_END
 *
 * The first frame is an empty replay. No event has a sequence, so the session's cursor stays where it is, and the socket
 * continues from there when it works again. Sockets are tried three times in a session, and once after every change of
 * network. Not more often, because browsers log the address of a socket that could not be opened, including the token.
 *
 * Without a socket the session expires after 600 s (HB-3); the conversation in turns does not. From then on it stays in
 * turns until its end, because the agent knows the conversation, which a socket could not continue. The next conversation
 * tries a socket first.
 *
 * The platform cannot replay turns, so the serialised conversation is stored with the session, for reloads and for the
 * next leader tab. If such a change interrupts a message, it may have arrived: it is not sent again without the visitor.
 * Turns cannot reach people: the automated agent replaces a human agent until a socket works again, and a hand-off ends
 * the conversation with the request to get in touch (rest.md 3.2).
 *
 * A separate file, loaded when it is needed. From other folders it only imports types, because a bundler would put shared
 * code into another file.
 */
import type { ClientEvent, DecodedFrame, ServerPayloads } from '../../protocol/index.ts';
import type { Transport, TransportEvents } from '../connection/transport.ts';
import type { Conversation } from '../conversation/conversation-state.ts';
import type { ClientPorts } from '../ports.ts';
import type { StoredFallback } from '../storage/stored-conversation.ts';
import { packConversation } from './pack-conversation.ts';
import { createSocketTrials, type SocketTrials } from './socket-trials.ts';
import { isDone, TurnCalls, type TurnCallsOptions } from './turn-calls.ts';
import { ABNORMAL, RESTART, TurnConnection } from './turn-connection.ts';
import { createTurnEvents, type Turn, type TurnEvents } from './turn-events.ts';
import { AGENT } from './turn-frames.ts';

export interface RestFallbackOptions extends TurnCallsOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'createId' | 'WebSocket' | 'environment'>;
  readonly isServiceUp: () => Promise<boolean>;
  /** Address of a socket to the current session, for a trial. Rejects when there is no session. */
  readonly socketUrl: (cursor: number) => Promise<string>;
  readonly current: () => Conversation;
  /** `STATE_VERSION`, passed in because this file only imports types. */
  readonly version: number;
  /** Called when the result of `kept` has changed. */
  readonly onTurn: () => void;
}

/** The platform's idle time of a session without socket messages. Source: HB-3. */
const SESSION_MS = 600_000;

/** The id of the client's draft. Source: MET-4. */
const nameOf = ({ custom }: Turn): string => custom?.['client_event_id'] ?? '';

/** Transport of a conversation in turns over REST, for a network without sockets. */
export class RestFallback {
  readonly #options: RestFallbackOptions;
  readonly #calls: TurnCalls;
  readonly #events: TurnEvents;
  readonly #trials: SocketTrials;
  readonly #sessionEndsAtMs: number;
  readonly #waiting: Turn[] = [];
  /** Messages that the platform has, or may have, received. */
  readonly #known = new Map<string, 'in flight' | 'accepted' | 'lost'>();
  /** Events that arrived without an open connection. */
  readonly #undelivered: DecodedFrame[] = [];
  #isRunning = false;
  #isInUse: boolean;
  #doSocketsWork = false;
  #isClosed = false;
  /** The human agent who became unreachable. */
  #person: ServerPayloads['EVENT_TYPE_LIVE_AGENT_JOINED'] | null = null;
  #current: TurnConnection | null = null;

  constructor(options: RestFallbackOptions) {
    const { ports, socketUrl, stored } = options;
    this.#options = options;
    this.#calls = new TurnCalls(options);
    this.#isInUse = !stored?.turns || this.#calls.reference() !== '';
    this.#sessionEndsAtMs = stored?.turns?.sessionEndsAtMs ?? ports.clock.now() + SESSION_MS;
    this.#events = createTurnEvents(ports, (frame) => this.#deliver(frame));
    this.#trials = createSocketTrials({
      ports,
      socketUrl,
      sessionEndsAtMs: this.#sessionEndsAtMs,
      onSuccess: () => this.#noteSocketsWork(),
    });
    for (const { localId, status } of stored?.drafts ?? [])
      if (status === 'pending') this.#known.set(localId, 'lost');
    if (this.#isInUse) this.#trials.start();
    else this.close();
  }

  /** False once sockets work again and should be used. */
  get isInUse(): boolean {
    return this.#isInUse;
  }

  /** The state that another page needs to continue, including turns from before sockets worked again. */
  kept(): StoredFallback {
    const { version, current } = this.#options;
    return {
      version,
      sessionEndsAtMs: this.#sessionEndsAtMs,
      chat: this.#isInUse ? this.#calls.reference() : '',
      past: packConversation(current()),
    };
  }

  /** Opens the next connection after closing the previous one; undefined when sockets should be used. */
  open(events: TransportEvents): Transport | undefined {
    if (!this.#isInUse) return undefined;
    this.#current = new TurnConnection({
      events,
      ensure: () => this.#calls.ensure(),
      onOpen: (connection) => this.#resume(connection),
      onEvent: (event) => this.#onEvent(event),
    });
    return this.#current;
  }

  /** Clears all timers. Another tab may continue the conversation; otherwise it expires. */
  close(): undefined {
    this.#trials.stop();
    this.#isClosed = true;
  }

  #deliver(frame: DecodedFrame): void {
    if (this.#current?.isOpen) this.#current.emit(frame);
    else this.#undelivered.push(frame);
  }

  #resume(connection: TurnConnection): void {
    this.#relieve();
    this.#options.onTurn();
    for (const frame of this.#undelivered.splice(0)) connection.emit(frame);
  }

  /** Removes human agents and queue from the view, because turns cannot reach them. */
  #relieve(): void {
    const { presence, queue } = this.#options.current().transcript;
    const last = presence.findLast(({ kind, speaker }) => speaker !== null || kind === 'live_agent')?.speaker;
    if (last?.kind === 'live_agent') {
      this.#person = { agent_id: last.id, agent_name: last.name, avatar_url: last.avatarUrl };
    } else if (!queue) return;
    this.#events.emit('EVENT_TYPE_AGENT_JOINED', AGENT);
  }

  #onEvent({ type, payload, custom }: ClientEvent): void {
    switch (type) {
      case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
        this.#events.emit('EVENT_TYPE_AGENT_JOINED', AGENT);
        this.#events.emitAnswer(this.#calls.consumeGreeting());
        return;
      case 'EVENT_TYPE_USER_MESSAGE':
        this.#enqueue({ custom, text: payload.text });
        return;
      case 'EVENT_TYPE_USER_END_SESSION':
        this.#calls.close();
        this.#finish('REASON_USER_END');
        return;
      case 'EVENT_TYPE_HEARTBEAT':
        void this.#check();
    }
  }

  #enqueue(turn: Turn): void {
    const name = nameOf(turn);
    const state = this.#known.get(name);
    if (state === 'accepted') this.#events.echo(turn);
    if (state === 'lost') this.#events.refuse(turn);
    if (state) return;
    this.#known.set(name, 'in flight');
    this.#waiting.push(turn);
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let turn = this.#waiting.shift(); turn && !this.#isClosed; turn = this.#waiting.shift())
      await this.#respond(turn);
    this.#isRunning = false;
    if (this.#doSocketsWork) this.#giveWay();
  }

  async #respond(turn: Turn): Promise<void> {
    const stopThinking = this.#events.think();
    const answer = await this.#calls.respond(turn.text, () => this.#isClosed);
    stopThinking();
    // Another tab continues the conversation, or none does.
    if (this.#isClosed) return;
    const { fields, status } = answer;
    if (!isDone(answer)) {
      this.#events.refuse(turn);
      // No heartbeat, because the proxy does not respond.
      if (status === 0 || status >= 500) this.#current?.stop(ABNORMAL);
      return;
    }
    this.#known.set(nameOf(turn), 'accepted');
    this.#calls.keep(answer);
    this.#events.echo(turn);
    this.#events.emitAnswer(fields['text']);
    // Without the destination, which is a technical name: the visitor is asked to get in touch, because nothing else is
    // possible.
    if (fields['handoff']) {
      const handoff = { route: null, reason: null, queue_name: null };
      this.#events.emit('EVENT_TYPE_CLIENT_HANDOFF_REQUIRED', handoff);
    }
    if (fields['is_over'] === true) this.#finish('REASON_NATURAL_END');
    else this.#options.onTurn();
  }

  #finish(reason: string): void {
    this.#calls.forget();
    this.#waiting.length = 0;
    this.#events.emit('EVENT_TYPE_SESSION_END', { reason });
    this.#current?.stop(1000);
  }

  async #check(): Promise<void> {
    const asked = this.#current;
    if ((await this.#options.isServiceUp()) && asked === this.#current)
      this.#events.emit('EVENT_TYPE_HEARTBEAT', {});
  }

  #noteSocketsWork(): void {
    this.#doSocketsWork = true;
    // Not during an answer.
    if (!this.#isRunning) this.#giveWay();
  }

  /** Gives way to a socket, over which the session continues. */
  #giveWay(): void {
    if (this.#isClosed) return;
    if (this.#person) this.#events.emit('EVENT_TYPE_LIVE_AGENT_JOINED', this.#person);
    this.#isInUse = false;
    this.#options.onTurn();
    this.#current?.stop(RESTART);
    // Not awaited, because inactivity ends the conversation anyway.
    this.#calls.close();
    this.close();
  }
}
