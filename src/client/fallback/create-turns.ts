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
 * goes on from there when it works again. That is tried three times in the session's life and no more, since a browser
 * prints the address of a socket that could not be opened.
 *
 * A file of its own that loads when it is needed; it imports types only, or what it shares would be split off the rest.
 */
import type { ClientPorts } from '../ports.ts';
import type { ProxyAnswer } from '../session/proxy-calls.ts';

export interface TurnsOptions {
  readonly ports: Pick<ClientPorts, 'clock' | 'createId' | 'WebSocket'>;
  readonly connector: string | undefined;
  /** Calls the proxy once. Never rejects. */
  readonly call: (path: string, body: object) => Promise<ProxyAnswer>;
  readonly isServiceUp: () => Promise<boolean>;
  /** Address of a socket to the running session, to see whether one can be opened. Throws when there is no session. */
  readonly socketUrl: (cursor: number) => string;
  /** Sockets work again: from now on they are to be used. */
  readonly onSocketWorks: () => void;
}

/** A conversation in turns. */
export interface Turns {
  /** Something that behaves like a socket; the one before it is dead. */
  open(): WebSocket;
  /** Lets go of the conversation and of every timer. */
  close(): void;
}

interface Turn {
  readonly custom: unknown;
  readonly text: string;
}

/** "Is typing" lasts 10 s without another word (IND-1). */
const THINKING_AGAIN_MS = 8_000;
/** How often a turn that was refused for its number is tried again. */
const MAX_WAITS = 3;
/** When sockets are tried for the first time; twice as long after each failure, until the session has run out (HB-3). */
const FIRST_TRIAL_MS = 60_000;
const LAST_TRIAL_MS = 240_000;
const ABNORMAL = 1006;
const RESTART = 1012;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The name of the client's draft. Source: MET-4. */
const nameOf = ({ custom }: Turn): string => String(field(custom, 'client_event_id'));

const isDone = ({ status }: ProxyAnswer): boolean => status >= 200 && status < 300;

export function createTurns(options: TurnsOptions): Turns {
  const { clock, createId, WebSocket } = options.ports;
  const call = (route: string, body: object): Promise<ProxyAnswer> => options.call(`/v1/chat/${route}`, body);
  /** The conversation as the proxy sealed it; empty for none. */
  let chat = '';
  let creating: Promise<boolean> | null = null;
  /** The agent's first words, until somebody asks for them. */
  let greeting = '';
  const waiting: Turn[] = [];
  /** Messages of which the platform has taken note, or which it may have. */
  const known = new Map<string, 'under way' | 'taken'>();
  /** What came while there was no socket to tell it to. */
  const untold: string[] = [];
  let isRunning = false;
  let doSocketsWork = false;
  let isClosed = false;
  let trialMs = FIRST_TRIAL_MS;
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

  async function create(): Promise<boolean> {
    const answer = await call('create', { connector: options.connector });
    const reference = answer.fields['chat'];
    if (!isDone(answer) || typeof reference !== 'string') return false;
    chat = reference;
    greeting = String(answer.fields['text'] ?? '');
    return true;
  }

  /** One creation at a time, whoever asks: a second one would be a second conversation. */
  function ensureChat(): Promise<boolean> {
    if (chat) return Promise.resolve(true);
    creating ??= create().finally(() => {
      creating = null;
    });
    return creating;
  }

  const wait = (delayMs: number): Promise<void> =>
    new Promise((resolve) => void clock.setTimer(resolve, delayMs));

  /** The answer to a message; what was refused is tried again, what may have arrived never is. */
  async function respond(text: string): Promise<ProxyAnswer> {
    for (let waits = 0, restarts = 0; ; ) {
      const answer = await call('respond', { chat, text });
      const { status, delayMs } = answer;
      if (status === 429 && waits < MAX_WAITS) {
        waits += 1;
        await wait(delayMs);
      } else if (status === 410 && restarts === 0) {
        // Silence has ended this conversation, so the message was not taken: another one begins with it.
        restarts += 1;
        chat = '';
        if (!(await ensureChat())) return answer;
      } else return answer;
    }
  }

  function think(): () => void {
    emit('AGENT_THINKING', {});
    let cancel = clock.setTimer(again, THINKING_AGAIN_MS);
    function again(): void {
      emit('AGENT_THINKING', {});
      cancel = clock.setTimer(again, THINKING_AGAIN_MS);
    }
    return () => cancel();
  }

  async function take(turn: Turn): Promise<void> {
    const stopThinking = think();
    const answer = await respond(turn.text);
    stopThinking();
    if (isClosed) return;
    const { fields, status } = answer;
    if (!isDone(answer)) {
      // Nothing is shown for an error without words; the message says that it was not delivered.
      emit('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: '' }, turn.custom);
      emit('LIVE_AGENT_TYPING', { state: 'TYPING_STATE_STOPPED' });
      // Whoever is not there must not look alive.
      if (status === 0 || status >= 500) current?.end(ABNORMAL);
      return;
    }
    known.set(nameOf(turn), 'taken');
    if (typeof fields['chat'] === 'string') chat = fields['chat'];
    emit('USER_MESSAGE', { text: turn.text, message_id: '' }, turn.custom);
    say(fields['text']);
    const destination = field(fields['handoff'], 'destination');
    if (destination !== undefined) {
      emit('CLIENT_HANDOFF_REQUIRED', { route: destination, reason: field(fields['handoff'], 'reason') });
    }
    if (fields['is_over'] === true) finish('REASON_NATURAL_END');
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let turn = waiting.shift(); turn && !isClosed; turn = waiting.shift()) await take(turn);
    isRunning = false;
    if (doSocketsWork) giveWay();
  }

  function finish(reason: string): void {
    chat = '';
    waiting.length = 0;
    emit('SESSION_END', { reason });
    current?.end(1000);
  }

  function letGo(): void {
    cancelTrial();
    isClosed = true;
    // Nobody waits for it: silence ends the conversation as well, only later.
    if (chat) void call('close', { chat });
  }

  /** A socket can be opened: the session goes on over it. */
  function giveWay(): void {
    if (isClosed) return;
    options.onSocketWorks();
    current?.end(RESTART);
    letGo();
  }

  function planTrial(): void {
    if (trialMs <= LAST_TRIAL_MS) cancelTrial = clock.setTimer(tryOnce, trialMs);
    trialMs *= 2;
  }

  function tryOnce(): void {
    try {
      // Beyond the last event: nothing is replayed to a socket that nobody reads (CUR-3).
      const trial = new WebSocket(options.socketUrl(Number.MAX_SAFE_INTEGER));
      trial.addEventListener('open', () => {
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
      say(greeting);
      greeting = '';
    } else if (type.endsWith('USER_MESSAGE')) {
      const custom = field(field(frame, 'metadata'), 'custom');
      const turn = { custom, text: String(field(field(frame, 'payload'), 'text')) };
      const name = nameOf(turn);
      if (known.get(name) === 'taken') emit('USER_MESSAGE', { text: turn.text, message_id: '' }, custom);
      if (known.has(name)) return;
      known.set(name, 'under way');
      waiting.push(turn);
      void run();
    } else if (type.endsWith('END_SESSION')) {
      if (chat) void call('close', { chat });
      finish('REASON_USER_END');
    } else if (type.endsWith('HEARTBEAT')) void check();
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
      if (target.readyState === 3) return;
      target.readyState = 3;
      queueMicrotask(() => fire('close', { code }));
    }
    async function begin(): Promise<void> {
      const isThere = await ensureChat();
      if (target.readyState !== 0) return;
      if (!isThere) {
        end(ABNORMAL);
        return;
      }
      target.readyState = 1;
      fire('open', {});
      emit('EVENT_BATCH', { events: [], has_more: false });
      for (const text of untold.splice(0)) fire('message', { data: text });
    }
    return { target, fire, end, begin };
  }

  planTrial();
  return {
    open() {
      const socket = createSocket();
      current = socket;
      void socket.begin();
      // Stands in for the browser's class; what the client uses of one is here.
      return socket.target as unknown as WebSocket;
    },
    close: letGo,
  };
}
