/*
 * A conversation in turns, for a network that lets no socket through. To the rest of the client it is a socket: frames go
 * in and come out, and behind them every message is a call to the token proxy. Transcript and outbox know no difference.
 *
 * frame of the client     what is done                      frames that come back
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
 * A file of its own that loads when it is needed; beside its own calls it imports types only, or what it shares would be split
 * off the rest.
 */
import type { Conversation } from '../conversation/conversation-state.ts';
import type { ClientPorts } from '../ports.ts';
import type { StoredTurns } from '../storage/stored-conversation.ts';
import { createTurnCalls, isDone, type TurnCallsOptions } from './create-turn-calls.ts';

export interface TurnsOptions extends TurnCallsOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'createId' | 'WebSocket' | 'environment'>;
  readonly isServiceUp: () => Promise<boolean>;
  /** Address of a socket to the running session, to see whether one can be opened. Throws when there is no session. */
  readonly socketUrl: (cursor: number) => string;
  readonly current: () => Conversation;
  /** Of the conversation's shape. */
  readonly version: string;
  /** What `kept` says has changed. */
  readonly onTurn: () => void;
}

/** A conversation in turns. */
export interface Turns {
  /** False once sockets work again: from then on they are to be used. */
  readonly isInUse: boolean;
  /** What another page needs to go on from here. Also what was said in turns before sockets worked again. */
  kept(): StoredTurns;
  /** Something that behaves like a socket, the one before it is dead; undefined when sockets are to be used. */
  open(): WebSocket | undefined;
  /** Lets go of every timer. The conversation is left to whoever goes on with it, and to silence. */
  close(): undefined;
}

/** As an event writes it. */
interface Author {
  readonly agent_id: string | null;
  readonly agent_name: string | null;
  readonly agent_avatar_url: string | null;
}

interface Turn {
  readonly custom: unknown;
  readonly text: string;
}

/** "Is typing" lasts 10 s without another word (IND-1). */
const THINKING_AGAIN_MS = 8_000;
/** When sockets are tried for the first time: soon, as an outage may just have ended. Four times as long after each failure. */
const FIRST_TRIAL_MS = 15_000;
const LAST_TRIAL_MS = 240_000;
/** How long the session lives without a word over a socket. Source: HB-3. */
const SESSION_MS = 600_000;
/** A word that keeps the session alive until the socket that follows the trial is there. Source: HB-3. */
const SIGN_OF_LIFE = JSON.stringify({ type: 'EVENT_TYPE_HEARTBEAT', payload: {} });
/** A network that has changed is tried at once, but not over and over. */
const TRY_AGAIN_AFTER_MS = 10_000;
const ABNORMAL = 1006;
const RESTART = 1012;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The name of the client's draft. Source: MET-4. */
const nameOf = ({ custom }: Turn): string => String(field(custom, 'client_event_id'));

/**
 * A conversation as text, as `unpackPast` reads it, and as the next page begins: without a connection. Drafts are kept
 * beside it, and the composer's text nowhere.
 */
const pack = (conversation: Conversation): string =>
  JSON.stringify(
    {
      ...conversation,
      connection: { status: 'idle' },
      liveAtMs: Infinity,
      isLive: false,
      links: 0,
      outbox: [],
    },
    (_, value: unknown) =>
      value === Infinity ? { isNever: true } : value instanceof Map ? { map: [...value] } : value,
  );

export function createTurns(options: TurnsOptions): Turns {
  const { clock, createId, environment, WebSocket } = options.ports;
  const { stored, version } = options;
  const calls = createTurnCalls(options);
  const waiting: Turn[] = [];
  /** Messages of which the platform has taken note, or which it may have. */
  const known = new Map<string, 'under way' | 'taken' | 'lost'>();
  /** What came while there was no socket to tell it to. */
  const untold: string[] = [];
  let isRunning = false;
  let isInUse = !stored?.turns || calls.reference() !== '';
  let doSocketsWork = false;
  let isClosed = false;
  let trialMs = FIRST_TRIAL_MS;
  let triedAtMs = -Infinity;
  /** From then on no socket could go on with the session. */
  const sessionEndsAtMs = stored?.turns?.sessionEndsAtMs ?? clock.now() + SESSION_MS;
  /** The person whom turns have cut off. */
  let person: Author | null = null;
  let cancelTrial = (): void => {};
  let current: ReturnType<typeof createSocket> | null = null;

  function emit(type: string, payload: object, custom?: unknown): void {
    const text = JSON.stringify({
      id: '',
      sequence: null,
      timestamp: new Date(clock.now()).toISOString(),
      type: `EVENT_TYPE_${type}`,
      payload,
      ...(custom !== undefined && { metadata: { custom } }),
    });
    if (current?.target.readyState === 1) current.fire('message', { data: text });
    else untold.push(text);
  }

  const say = (text: unknown): void => {
    if (text) emit('AGENT_MESSAGE', { message_id: `turn-${createId()}`, text });
  };

  function think(): () => void {
    emit('AGENT_THINKING', {});
    let cancel = clock.setTimer(again, THINKING_AGAIN_MS);
    function again(): void {
      emit('AGENT_THINKING', {});
      cancel = clock.setTimer(again, THINKING_AGAIN_MS);
    }
    return () => cancel();
  }

  /** Nothing is shown for an error without words; the message says that it was not delivered. */
  function refuse(custom: unknown): void {
    emit('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: '' }, custom);
    emit('LIVE_AGENT_TYPING', { state: 'TYPING_STATE_STOPPED' });
  }

  async function take(turn: Turn): Promise<void> {
    const stopThinking = think();
    const answer = await calls.respond(turn.text, () => isClosed);
    stopThinking();
    // Another tab goes on with the conversation, or nobody does.
    if (isClosed) return;
    const { fields, status } = answer;
    if (!isDone(answer)) {
      refuse(turn.custom);
      // Whoever is not there must not look alive.
      if (status === 0 || status >= 500) current?.end(ABNORMAL);
      return;
    }
    known.set(nameOf(turn), 'taken');
    calls.keep(answer);
    emit('USER_MESSAGE', { text: turn.text, message_id: '' }, turn.custom);
    say(fields['text']);
    // Without its destination, which is a name for programs: the visitor is asked to get in touch, which is all there is.
    if (fields['handoff']) emit('CLIENT_HANDOFF_REQUIRED', {});
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
    emit('SESSION_END', { reason });
    current?.end(1000);
  }

  function close(): undefined {
    cancelTrial();
    stopListening();
    isClosed = true;
  }

  /** A socket can be opened: the session goes on over it. */
  function giveWay(): void {
    if (isClosed) return;
    if (person) emit('LIVE_AGENT_JOINED', person);
    isInUse = false;
    options.onTurn();
    current?.end(RESTART);
    // Nobody waits for it: silence ends the conversation as well, only later.
    calls.close();
    close();
  }

  function planTrial(): void {
    cancelTrial();
    if (clock.now() + trialMs >= sessionEndsAtMs) return;
    if (trialMs <= LAST_TRIAL_MS) cancelTrial = clock.setTimer(tryOnce, trialMs);
    trialMs *= 4;
  }

  function tryOnce(): void {
    triedAtMs = clock.now();
    try {
      // Beyond the last event: nothing is replayed to a socket that nobody reads (CUR-3).
      const trial = new WebSocket(options.socketUrl(Number.MAX_SAFE_INTEGER));
      trial.addEventListener('open', () => {
        trial.send(SIGN_OF_LIFE);
        trial.close();
        doSocketsWork = true;
        // Not in the middle of an answer.
        if (!isRunning) giveWay();
      });
      trial.addEventListener('close', () => {
        if (!doSocketsWork && !isClosed) planTrial();
      });
    } catch {
      // A content security policy. The error's text may hold the address with the token.
      planTrial();
    }
  }

  async function check(): Promise<void> {
    const asked = current;
    if ((await options.isServiceUp()) && asked === current) emit('HEARTBEAT', {});
  }

  function hear(frame: unknown): void {
    const type = String(field(frame, 'type'));
    if (type.endsWith('AGENT_JOIN')) {
      emit('AGENT_JOINED', {});
      say(calls.takeGreeting());
    } else if (type.endsWith('USER_MESSAGE')) {
      const custom = field(field(frame, 'metadata'), 'custom');
      const turn = { custom, text: String(field(field(frame, 'payload'), 'text')) };
      const name = nameOf(turn);
      if (known.get(name) === 'taken') emit('USER_MESSAGE', { text: turn.text, message_id: '' }, custom);
      if (known.get(name) === 'lost') refuse(custom);
      if (known.has(name)) return;
      known.set(name, 'under way');
      waiting.push(turn);
      void run();
    } else if (type.endsWith('END_SESSION')) {
      calls.close();
      finish('REASON_USER_END');
    } else if (type.endsWith('HEARTBEAT')) void check();
  }

  /** Who is not there must not look alive: people, and the queue to them. */
  function relieve(): void {
    const { presence, queue } = options.current().transcript;
    const last = presence.findLast(({ kind, speaker }) => speaker !== null || kind === 'live_agent')?.speaker;
    if (last?.kind === 'live_agent') {
      person = { agent_id: last.id, agent_name: last.name, agent_avatar_url: last.avatarUrl };
    } else if (!queue) return;
    emit('AGENT_JOINED', {});
  }

  function createSocket() {
    const target = Object.assign(new EventTarget(), {
      readyState: 0,
      send: (text: string): void => hear(JSON.parse(text)),
      close: (code?: number): void => end(code),
    });
    function fire(type: string, fields: object): void {
      target.dispatchEvent(Object.assign(new Event(type), fields));
    }
    function end(code = 1000): void {
      if (isOver()) return;
      target.readyState = 3;
      queueMicrotask(() => fire('close', { code }));
    }
    const isOver = (): boolean => target.readyState === 3;
    async function begin(): Promise<void> {
      const isThere = await calls.ensure();
      if (target.readyState !== 0) return;
      if (!isThere) {
        end(ABNORMAL);
        return;
      }
      target.readyState = 1;
      fire('open', {});
      // Nobody wants it any more, and it was closed as soon as it opened: what is untold is for the next one.
      if (isOver()) return;
      emit('EVENT_BATCH', { events: [], has_more: false });
      relieve();
      options.onTurn();
      for (const text of untold.splice(0)) fire('message', { data: text });
    }
    return { target, fire, end, begin };
  }

  for (const { localId, status } of stored?.drafts ?? [])
    if (status === 'pending') known.set(localId, 'lost');
  const stopListening = environment.onChange((change) => {
    const nowMs = clock.now();
    if (change !== 'online' || nowMs - triedAtMs < TRY_AGAIN_AFTER_MS || nowMs >= sessionEndsAtMs) return;
    // Another network may let sockets through.
    cancelTrial();
    trialMs = FIRST_TRIAL_MS;
    tryOnce();
  });
  if (isInUse) planTrial();
  else close();
  return {
    get isInUse() {
      return isInUse;
    },
    kept: () => ({
      version,
      sessionEndsAtMs,
      chat: isInUse ? calls.reference() : '',
      past: pack(options.current()),
    }),
    open() {
      if (!isInUse) return;
      const socket = createSocket();
      current = socket;
      void socket.begin();
      // Stands in for the browser's class; what the client uses of one is here.
      return socket.target as unknown as WebSocket;
    },
    close,
  };
}
