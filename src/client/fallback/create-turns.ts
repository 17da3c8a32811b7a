/*
 * A conversation in turns, for a network that lets no socket through. It is a transport: events go in and come out, and
 * behind them every message is a call to the token proxy. Transcript and outbox know no difference.
 *
 * event of the client     what is done                      events that come back
 * REQUEST_AGENT_JOIN      nothing: creating asked it in     AGENT_JOINED, AGENT_MESSAGE with its first words
 * USER_MESSAGE            respond, one at a time            AGENT_THINKING; then the echo and AGENT_MESSAGE,
 *                                                           or an error that names the message
 * HEARTBEAT               the proxy is asked for its health HEARTBEAT, when it is well
 * USER_END_SESSION        close                             SESSION_END
 *
 * The first frame is an empty replay. No event has a sequence, so the session's cursor stays where it is, and the socket
 * goes on from there when it works again. That is tried three times in the session's life and once for every change of
 * network, and no more, since a browser prints the address of a socket that could not be opened.
 *
 * Without a socket the session expires after 600 s (HB-3); the conversation in turns does not. From then on it goes on in
 * turns to its end: whoever is in the middle of it keeps an agent that knows what was said, and there is nothing left
 * that a socket could go on with. The next conversation asks for a socket first.
 *
 * Nothing on the platform's side can be read again, so what was said is kept with the session, packed, for reloads and for
 * the tab that leads next. A message whose answer such a change has cut off may have arrived or not: it is not sent again
 * unasked. People cannot be reached in turns: whoever was there gives way to the automated agent until the socket is back,
 * and a hand-off ends the conversation with the request to get in touch (rest.md 3.2).
 *
 * A file of its own that loads when it is needed; beside the files of this folder it imports types only, or what it shares would be split
 * off the rest.
 */
import type { ClientEvent, DecodedFrame, ServerPayloads } from '../../protocol/index.ts';
import type { Transport, TransportEvents } from '../connection/transport.ts';
import type { Conversation } from '../conversation/conversation-state.ts';
import type { ClientPorts } from '../ports.ts';
import type { StoredTurns } from '../storage/stored-conversation.ts';
import { createTurnCalls, isDone, type TurnCallsOptions } from './create-turn-calls.ts';
import { packConversation } from './pack-conversation.ts';
import { createSocketTrials } from './socket-trials.ts';
import { createTurnEvents, type Turn } from './turn-events.ts';
import { AGENT, EMPTY_REPLAY } from './turn-frames.ts';

export interface TurnsOptions extends TurnCallsOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'createId' | 'WebSocket' | 'environment'>;
  readonly isServiceUp: () => Promise<boolean>;
  /** Address of a socket to the running session, to see whether one can be opened. Throws when there is no session. */
  readonly socketUrl: (cursor: number) => string;
  readonly current: () => Conversation;
  /** `STATE_VERSION`, as this file imports types only. */
  readonly version: number;
  /** What `kept` says has changed. */
  readonly onTurn: () => void;
}

/** A conversation in turns. */
export interface Turns {
  /** False once sockets work again: from then on they are to be used. */
  readonly isInUse: boolean;
  /** What another page needs to go on from here. Also what was said in turns before sockets worked again. */
  kept(): StoredTurns;
  /** The next connection, the one before it is closed; undefined when sockets are to be used. */
  open(events: TransportEvents): Transport | undefined;
  /** Lets go of every timer. The conversation is left to whoever goes on with it, and to silence. */
  close(): undefined;
}

/** One transport as this file uses it. */
interface TurnConnection {
  isOpen(): boolean;
  emit(frame: DecodedFrame): void;
  end(code: number): void;
}

/** How long the session lives without a word over a socket. Source: HB-3. */
const SESSION_MS = 600_000;
const ABNORMAL = 1006;
const RESTART = 1012;

/** The name of the client's draft. Source: MET-4. */
const nameOf = ({ custom }: Turn): string => custom?.['client_event_id'] ?? '';

export function createTurns(options: TurnsOptions): Turns {
  const { ports } = options;
  const { stored, version } = options;
  const calls = createTurnCalls(options);
  const waiting: Turn[] = [];
  /** Messages of which the platform has taken note, or which it may have. */
  const known = new Map<string, 'under way' | 'taken' | 'lost'>();
  /** What came while there was no socket to tell it to. */
  const untold: DecodedFrame[] = [];
  let isRunning = false;
  let isInUse = !stored?.turns || calls.reference() !== '';
  let doSocketsWork = false;
  let isClosed = false;
  const sessionEndsAtMs = stored?.turns?.sessionEndsAtMs ?? ports.clock.now() + SESSION_MS;
  /** The person whom turns have cut off. */
  let person: ServerPayloads['EVENT_TYPE_LIVE_AGENT_JOINED'] | null = null;
  let current: TurnConnection | null = null;

  const { emit, say, echo, refuse, think } = createTurnEvents(ports, (frame) => {
    if (current?.isOpen()) current.emit(frame);
    else untold.push(frame);
  });

  const trials = createSocketTrials({
    ports,
    socketUrl: options.socketUrl,
    sessionEndsAtMs,
    onSuccess() {
      doSocketsWork = true;
      // Not in the middle of an answer.
      if (!isRunning) giveWay();
    },
  });

  async function take(turn: Turn): Promise<void> {
    const stopThinking = think();
    const answer = await calls.respond(turn.text, () => isClosed);
    stopThinking();
    // Another tab goes on with the conversation, or nobody does.
    if (isClosed) return;
    const { fields, status } = answer;
    if (!isDone(answer)) {
      refuse(turn);
      // Whoever is not there must not look alive.
      if (status === 0 || status >= 500) current?.end(ABNORMAL);
      return;
    }
    known.set(nameOf(turn), 'taken');
    calls.keep(answer);
    echo(turn);
    say(fields['text']);
    // Without its destination, which is a name for programs: the visitor is asked to get in touch, which is all there is.
    if (fields['handoff'])
      emit('EVENT_TYPE_CLIENT_HANDOFF_REQUIRED', { route: null, reason: null, queue_name: null });
    if (fields['is_over'] === true) finish('REASON_NATURAL_END');
    else options.onTurn();
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let turn = waiting.shift(); turn && !isClosed; turn = waiting.shift()) await take(turn);
    isRunning = false;
    if (doSocketsWork) giveWay();
  }

  function finish(reason: string): void {
    calls.forget();
    waiting.length = 0;
    emit('EVENT_TYPE_SESSION_END', { reason });
    current?.end(1000);
  }

  function close(): undefined {
    trials.stop();
    isClosed = true;
  }

  /** A socket can be opened: the session goes on over it. */
  function giveWay(): void {
    if (isClosed) return;
    if (person) emit('EVENT_TYPE_LIVE_AGENT_JOINED', person);
    isInUse = false;
    options.onTurn();
    current?.end(RESTART);
    // Nobody waits for it: silence ends the conversation as well, only later.
    calls.close();
    close();
  }

  async function check(): Promise<void> {
    const asked = current;
    if ((await options.isServiceUp()) && asked === current) emit('EVENT_TYPE_HEARTBEAT', {});
  }

  function hear({ type, payload, custom }: ClientEvent): void {
    switch (type) {
      case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
        emit('EVENT_TYPE_AGENT_JOINED', AGENT);
        say(calls.takeGreeting());
        return;
      case 'EVENT_TYPE_USER_MESSAGE': {
        const turn = { custom, text: payload.text };
        const name = nameOf(turn);
        const fate = known.get(name);
        if (fate === 'taken') echo(turn);
        if (fate === 'lost') refuse(turn);
        if (fate) return;
        known.set(name, 'under way');
        waiting.push(turn);
        void run();
        return;
      }
      case 'EVENT_TYPE_USER_END_SESSION':
        calls.close();
        finish('REASON_USER_END');
        return;
      case 'EVENT_TYPE_HEARTBEAT':
        void check();
    }
  }

  /** Who is not there must not look alive: people, and the queue to them. */
  function relieve(): void {
    const { presence, queue } = options.current().transcript;
    const last = presence.findLast(({ kind, speaker }) => speaker !== null || kind === 'live_agent')?.speaker;
    if (last?.kind === 'live_agent') {
      person = { agent_id: last.id, agent_name: last.name, avatar_url: last.avatarUrl };
    } else if (!queue) return;
    emit('EVENT_TYPE_AGENT_JOINED', AGENT);
  }

  function connect(events: TransportEvents): Transport {
    let status: 'opening' | 'open' | 'closed' = 'opening';
    const isOpen = (): boolean => status === 'open';
    const emitFrame = (frame: DecodedFrame): void => events.onFrame(frame, JSON.stringify(frame));
    function end(code: number): void {
      if (status === 'closed') return;
      status = 'closed';
      queueMicrotask(() => events.onClose(code));
    }
    async function begin(): Promise<void> {
      const isThere = await calls.ensure();
      if (status !== 'opening') return;
      if (!isThere) {
        end(ABNORMAL);
        return;
      }
      status = 'open';
      events.onOpen();
      // The client may have closed it as soon as it opened; frames are for the next connection then.
      if (!isOpen()) return;
      emitFrame(EMPTY_REPLAY);
      relieve();
      options.onTurn();
      for (const frame of untold.splice(0)) emitFrame(frame);
    }
    current = { isOpen, emit: emitFrame, end };
    return {
      start: () => void begin(),
      stop: end,
      send(event) {
        if (!isOpen()) return false;
        hear(event);
        return true;
      },
    };
  }

  for (const { localId, status } of stored?.drafts ?? [])
    if (status === 'pending') known.set(localId, 'lost');
  if (isInUse) trials.start();
  else close();
  return {
    get isInUse() {
      return isInUse;
    },
    kept: () => ({
      version,
      sessionEndsAtMs,
      chat: isInUse ? calls.reference() : '',
      past: packConversation(options.current()),
    }),
    open: (events) => (isInUse ? connect(events) : undefined),
    close,
  };
}
